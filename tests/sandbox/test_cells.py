"""A cell's last expression is found by its tokens alone, whatever the cell holds."""

import time

import pytest

from moot.sandbox.cells import VALUE, keep_last_value


@pytest.mark.parametrize(
    ("cell", "wrapped"),
    [
        ("1+1", f"{VALUE} = (\n1+1\n)"),
        ("x = 1\nx", f"x = 1\n{VALUE} = (\nx\n)"),
        ("import math; math.comb(10,3)", f"import math; \n{VALUE} = (\nmath.comb(10,3)\n)"),
        ("x  # so", f"{VALUE} = (\nx\n)"),
        ("1; 2;", f"1; \n{VALUE} = (\n2\n)"),
        ("f(a=1,\n  b=2)\n\n", f"{VALUE} = (\nf(a=1,\n  b=2)\n)"),
        ('"""a\nb"""', f'{VALUE} = (\n"""a\nb"""\n)'),
        ("lambda x: x", f"{VALUE} = (\nlambda x: x\n)"),
        ("a == b", f"{VALUE} = (\na == b\n)"),
        ("*a, b", f"{VALUE} = (\n*a, b\n)"),
        ("not x", f"{VALUE} = (\nnot x\n)"),
        ("d = {'a': 1}\nf\"{d['a']:>4} {d=}\"", f"d = {{'a': 1}}\n{VALUE} = (\nf\"{{d['a']:>4}} {{d=}}\"\n)"),
        ("if a:\n  b\nc", f"if a:\n  b\n{VALUE} = (\nc\n)"),
        ("中 = '文'\n中", f"中 = '文'\n{VALUE} = (\n中\n)"),
    ],
)
def test_a_last_expression_is_kept(cell: str, wrapped: str) -> None:
    found = keep_last_value(cell)
    assert found is not None
    assert found.code == wrapped


@pytest.mark.parametrize(
    "cell",
    [
        "",
        "# nothing",
        "x = 1",
        "x += 1",
        "x: int",
        "if a: b; c",
        "for i in x:\n  i",
        "def f():\n  return 1",
        "import math",
        "pass",
        "del x",
        "match x:\n  case 1: 2",
        "return 1",
        "@decorated\ndef f(): 1",
        "x = (1,\n 2)",
        "(",
        "'",
        "  x",
    ],
)
def test_a_cell_that_ends_in_a_statement_is_left_alone(cell: str) -> None:
    assert keep_last_value(cell) is None


def test_hostile_text_is_read_in_a_moment() -> None:
    began = time.process_time()
    for cell in ("(" * 50_000, "-" * 50_000 + "1", "{" * 500 + "}" * 500, "lambda: " * 20_000 + "1", "\x00", "\ud800"):
        keep_last_value(cell)
    assert time.process_time() - began < 5
