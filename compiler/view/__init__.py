"""Looking at a program: as a page that opens in a browser, or as a graph for other tools.

from dxir.view import page
Path("model.html").write_text(page(program), encoding="utf-8")
"""

from dxir.view.building import view_of as view_of
from dxir.view.comparing import compared as compared
from dxir.view.comparing import count_changes as count_changes
from dxir.view.dot import dot as dot
from dxir.view.model_explorer import model_explorer as model_explorer
from dxir.view.page import page as page
from dxir.view.page import page_of as page_of
from dxir.view.plain import plain as plain
from dxir.view.records import View as View
