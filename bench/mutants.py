"""Single-operator changes of Python source: where they can be made, and the source with one of them made."""

import ast
import io
import tokenize
from collections.abc import Iterator
from typing import NamedTuple

# What each operator is changed into; a number into its negative, and a sign or `not` is left out.
SWAPS = {'+': '-', '-': '+', '*': '/', '/': '*', '//': '*', '**': '*', '%': '*', '@': '*', '<': '<=', '<=': '<',
         '>': '>=', '>=': '>', '==': '!=', '!=': '==', 'and': 'or', 'or': 'and', '&': '|', '|': '&',
         '+=': '-=', '-=': '+=', '*=': '/=', '/=': '*=', '&=': '|=', '|=': '&='}


class Mutant(NamedTuple):
    """A change: place (line from 1, columns in characters), what stands there, what is put there."""

    line: int
    begin: int
    end: int
    old: str
    new: str


def mutants_of(source: str) -> list[Mutant]:
    """Return all changes that can be made in a module, in their order; type hints and texts are left alone."""
    lines = source.splitlines(keepends=True)
    tokens = [token for token in tokenize.generate_tokens(io.StringIO(source).readline)
              if token.type in (tokenize.OP, tokenize.NAME)]
    return sorted(set(_found(ast.parse(source), tokens, lines)))


def mutated(source: str, mutant: Mutant) -> str:
    """Return a module's source with a change made in it."""
    lines = source.splitlines(keepends=True)
    line = lines[mutant.line - 1]
    lines[mutant.line - 1] = line[:mutant.begin] + mutant.new + line[mutant.end:]
    return ''.join(lines)


def functions_of(source: str) -> dict[int, str]:
    """Return for each line of a module in a function the name of the innermost one."""
    nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return {line: node.name for node in sorted(nodes, key=lambda node: node.lineno)
            for line in range(node.lineno, (node.end_lineno or 0) + 1)}


def _found(tree: ast.AST, tokens: list[tokenize.TokenInfo], lines: list[str]) -> Iterator[Mutant]:
    for node in _code(tree):
        if isinstance(node, ast.BinOp):
            yield from _operator(tokens, lines, node.left, node.right)
        elif isinstance(node, ast.AugAssign):
            yield from _operator(tokens, lines, node.target, node.value)
        elif isinstance(node, ast.Compare):
            for left, right in zip([node.left, *node.comparators], node.comparators):
                yield from _operator(tokens, lines, left, right)
        elif isinstance(node, ast.BoolOp):
            for left, right in zip(node.values, node.values[1:]):
                yield from _operator(tokens, lines, left, right)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.Not):
            (row, begin), sign = _at(node, lines), '-' if isinstance(node.op, ast.USub) else 'not '
            yield Mutant(row, begin, begin + len(sign), sign, '')
        elif isinstance(node, ast.Constant) and type(node.value) in (int, float) and node.value:
            row, begin = _at(node, lines)
            text = ast.get_source_segment(''.join(lines), node) or ''
            yield Mutant(row, begin, begin + len(text), text, f'(-{text})')


def _code(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a module but those of type hints, and of texts' formats."""
    for name, value in ast.iter_fields(node):
        if name in ('annotation', 'returns', 'format_spec', 'type_params'):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not _is_hint(child):
                yield child
                yield from _code(child)


def _is_hint(node: ast.AST) -> bool:
    """Return whether a node is an alias of types, such as `X = A | None`, or a cast's or a check's types."""
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr) and isinstance(
        node.right, ast.Constant | ast.Name | ast.Subscript | ast.Attribute) and not isinstance(node.left, ast.Compare)


def _operator(tokens: list[tokenize.TokenInfo], lines: list[str], left: ast.expr, right: ast.expr) -> Iterator[Mutant]:
    """Yield the change of the operator between two operands."""
    end = (left.end_lineno or 0, len(lines[(left.end_lineno or 1) - 1].encode()[:left.end_col_offset].decode()))
    begin = _at(right, lines)
    for token in tokens:
        if end <= token.start < begin and token.string in SWAPS:
            yield Mutant(token.start[0], token.start[1], token.end[1], token.string, SWAPS[token.string])


def _at(node: ast.expr, lines: list[str]) -> tuple[int, int]:
    """Return a node's line and column, in characters."""
    return node.lineno, len(lines[node.lineno - 1].encode()[:node.col_offset].decode())
