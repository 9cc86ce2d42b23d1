"""The code for a sum prints its exact value, in the sandbox that runs it."""

from collections.abc import AsyncIterator

import pytest

from moot.patterns.understudies.sums import code_of
from moot.sandbox.monty import Monty
from moot.text.arithmetic import arithmetic


@pytest.fixture
async def sandbox() -> AsyncIterator[Monty]:
    made = Monty(at_once=1)
    yield made
    await made.close()


async def printed(sandbox: Monty, question: str) -> str:
    found = arithmetic(question)
    assert found is not None
    ran = await sandbox.run(code_of(found), timeout_s=20, dump="", workspace=None, seed="", now=None)
    assert ran.ok, ran.text
    return ran.text.strip()


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("What is 17 * 23?", "17 * 23 = 391"),
        ("2^10 - (-3)", "2 ** 10 - (-3) = 1027"),
        ("(2**3)**2", "(2 ** 3) ** 2 = 64"),
        ("-2**2", "-2 ** 2 = -4"),
        ("2 - (3 - 1)", "2 - (3 - 1) = 0"),
        ("-17 % 5", "-17 % 5 = 3"),
        ("计算 3/4 + 1/8", "3 / 4 + 1 / 8 = 7/8 = 0.875"),
        ("15% of 80", "15% * 80 = 12"),
        ("1/3", "1 / 3 = 1/3 ≈ 0.3333"),
        ("-2/3", "-2 / 3 = -2/3 ≈ -0.6667"),
        ("1000000/7", "1000000 / 7 = 1000000/7 ≈ 142857"),
        ("10**20/7", "10 ** 20 / 7 = 100000000000000000000/7 ≈ 1.429e+19"),
        ("0.1 + 0.2", "0.1 + 0.2 = 3/10 = 0.3"),
        ("2 ** -3", "2 ** (-3) = 1/8 = 0.125"),
        ("7.5 % 2", "7.5 % 2 = 3/2 = 1.5"),
        ("6 / (1/2)", "6 / (1 / 2) = 12"),
        ("1 / 2**20", "1 / 2 ** 20 = 1/1048576 = 0.00000095367431640625"),
        ("-(1/2) * (3/4)", "-(1 / 2) * (3 / 4) = -3/8 = -0.375"),
    ],
)
async def test_the_line_printed(sandbox: Monty, question: str, line: str) -> None:
    assert await printed(sandbox, question) == line


async def test_a_result_of_a_thousand_digits_is_printed_whole(sandbox: Monty) -> None:
    assert await printed(sandbox, "10**999 - 1") == "10 ** 999 - 1 = " + "9" * 999


def test_whole_numbers_need_one_line_of_code() -> None:
    found = arithmetic("What is 17 * 23?")
    assert found is not None
    assert code_of(found) == 'print(f"17 * 23 = {17 * 23}")'
