"""Orders of functions by their calls, recursion, and what is reached."""

from hypothesis import given
from hypothesis import strategies as st

from dxir.call_graph import order, reached

NAMES = "abcdefg"
GRAPHS = st.dictionaries(st.sampled_from(NAMES), st.lists(st.sampled_from(NAMES), max_size=4))


def test_callees_come_before_their_callers_and_a_name_without_edges_does_not_count() -> None:
    found = order({"main": ["f", "g", "outside"], "f": ["h"], "g": ["h"], "h": []})
    assert found.names == ["h", "f", "g", "main"]
    assert not found.recursive
    assert not found.cycle


def test_all_members_of_a_cycle_are_recursive_whatever_is_visited_first() -> None:
    edges = {"main": ["a"], "a": ["b", "c"], "b": ["a"], "c": ["b"], "d": ["d", "a"]}
    for turned in (edges, {name: called[::-1] for name, called in edges.items()}):
        found = order(turned)
        assert found.recursive == {"a", "b", "c", "d"}
        assert found.cycle[0] == found.cycle[-1]


@given(GRAPHS)
def test_order_and_recursion_are_what_reaching_says(edges: dict[str, list[str]]) -> None:
    found = order(edges)
    assert sorted(found.names) == sorted(edges)
    below = {
        name: set(reached(lambda n: edges.get(n, ()), edges[name])) & set(edges) for name in edges
    }
    assert found.recursive == {name for name in edges if name in below[name]}
    for place, name in enumerate(found.names):
        assert all(name in below[c] for c in below[name] - set(found.names[:place]))
    steps = list(zip(found.cycle, found.cycle[1:], strict=False))
    assert all(callee in edges[caller] for caller, callee in steps)
    assert bool(found.cycle) == bool(found.recursive)


def test_a_chain_deeper_than_pythons_stack_is_ordered() -> None:
    edges = {str(i): [str(i + 1)] for i in range(100_000)}
    assert order(edges).names[0] == "99999"
    assert len(reached(lambda n: edges.get(n, ()), ["0"])) == 100_001


def test_what_is_reached_comes_in_the_order_of_the_first_way_there() -> None:
    edges = {"main": ["f", "g"], "f": ["h", "main"], "g": ["h"]}
    assert reached(lambda n: edges.get(n, ()), ["main"]) == ["main", "f", "h", "g"]
