import { createHash } from 'node:crypto'
import ts from 'typescript'

/** One small change of a source file that a test should notice. */
export interface Mutant {
  readonly id: string
  readonly file: string
  readonly start: number
  readonly end: number
  readonly line: number
  readonly kind: MutantKind
  readonly original: string
  readonly replacement: string
}

export type MutantKind =
  | 'arithmetic'
  | 'body'
  | 'boolean'
  | 'boundary'
  | 'call'
  | 'condition'
  | 'default'
  | 'element'
  | 'equality'
  | 'guard'
  | 'logical'
  | 'method'
  | 'number'
  | 'optional'
  | 'state'
  | 'unwrap'

const boundaries: Readonly<Record<string, string>> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' }
const equalities: Readonly<Record<string, string>> = { '===': '!==', '!==': '===', '==': '!=', '!=': '==' }
const logicals: Readonly<Record<string, string>> = { '&&': '||', '||': '&&' }
const arithmetics: Readonly<Record<string, string>> = {
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '**': '*',
  '+=': '-=',
  '-=': '+=',
  '*=': '/=',
  '/=': '*=',
}
const operatorKinds = [
  ['boundary', boundaries],
  ['equality', equalities],
  ['logical', logicals],
  ['arithmetic', arithmetics],
] as const

/** Methods whose call is removed, so that the value is used unchanged. */
const leftOutMethods = new Set(['filter', 'sort', 'toSorted', 'slice', 'trim', 'toLowerCase', 'toUpperCase'])
const swappedMethods: Readonly<Record<string, string>> = {
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
  ceil: 'floor',
  floor: 'ceil',
  round: 'floor',
}

/**
 * Every mutant of a file. A type checker adds mutants that replace a member of a union by another. Numbers are
 * changed, and calls replaced by their argument, only in `*.rules.ts`: elsewhere most numbers are sizes and
 * pauses, and most calls return another type.
 */
export function mutantsOf(file: string, source: ts.SourceFile, checker?: ts.TypeChecker): Mutant[] {
  const found: Mutant[] = []
  const seen = new Map<string, number>()

  function add(kind: MutantKind, node: { getStart(): number; end: number }, replacement: string): void {
    const start = node.getStart()
    const original = source.text.slice(start, node.end)
    if (original === replacement) return
    const what = `${file}\n${kind}\n${original}\n${replacement}`
    const nth = seen.get(what) ?? 0
    seen.set(what, nth + 1)
    found.push({
      id: createHash('sha256').update(`${what}\n${nth}`).digest('hex').slice(0, 16),
      file,
      start,
      end: node.end,
      line: source.getLineAndCharacterOfPosition(start).line + 1,
      kind,
      original,
      replacement,
    })
  }

  const text = (node: ts.Node): string => node.getText(source)

  function addCondition(condition: ts.Expression): void {
    // A negated comparison is already a mutant of its operator.
    const isComparison =
      ts.isBinaryExpression(condition) && equalities[condition.operatorToken.getText(source)] !== undefined
    if (isComparison) return
    if (isNegation(condition)) add('condition', condition, text(condition.operand))
    else add('condition', condition, `!(${text(condition)})`)
  }

  function addBinary(node: ts.BinaryExpression): void {
    const operator = node.operatorToken.getText(source)
    for (const [kind, table] of operatorKinds) {
      const other = table[operator]
      if (other !== undefined) add(kind, node.operatorToken, other)
    }
    if (operator === '??') {
      add('default', node, `(${text(node.left)})`)
      add('default', node, `(${text(node.right)})`)
    }
  }

  function addCall(node: ts.CallExpression): void {
    const [only, ...others] = node.arguments
    if (isRule(file) && ts.isIdentifier(node.expression) && only !== undefined && others.length === 0)
      add('unwrap', node, text(only))
    if (!ts.isPropertyAccessExpression(node.expression)) return
    const { name, expression: receiver } = node.expression
    if (leftOutMethods.has(name.text)) add('method', node, text(receiver))
    const other = swappedMethods[name.text]
    if (other !== undefined) add('method', name, other)
  }

  function addState(node: ts.StringLiteral): void {
    if (isInJsx(node)) return
    const other = otherState(node, checker)
    if (other !== undefined) add('state', node, `'${other.replaceAll("'", "\\'")}'`)
  }

  function addArray(node: ts.ArrayLiteralExpression): void {
    if (isTable(node)) return
    for (const [index, element] of node.elements.entries()) {
      const rest = node.elements.filter((_, other) => other !== index).map(text)
      if (!ts.isStringLiteral(element) && !isRule(file)) continue
      add('element', node, `[${rest.join(', ')}]`)
    }
  }

  function addFunctionBody(node: ts.FunctionLikeDeclaration): void {
    const { body } = node
    if (body !== undefined && ts.isBlock(body) && body.statements.length > 1) add('body', body, '{}')
  }

  function walk(node: ts.Node): void {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node)) return
    if (ts.isTypeAliasDeclaration(node) || ts.isExportDeclaration(node)) return
    if (ts.isBinaryExpression(node)) addBinary(node)
    else if (ts.isIfStatement(node)) {
      addCondition(node.expression)
      if (node.elseStatement === undefined && leaves(node.thenStatement)) add('guard', node, ';')
    } else if (ts.isWhileStatement(node) || ts.isDoStatement(node)) addCondition(node.expression)
    else if (ts.isConditionalExpression(node)) addCondition(node.condition)
    else if (node.kind === ts.SyntaxKind.TrueKeyword) add('boolean', node, 'false')
    else if (node.kind === ts.SyntaxKind.FalseKeyword) add('boolean', node, 'true')
    else if (ts.isPropertyAccessChain(node) && node.questionDotToken !== undefined)
      add('optional', node.questionDotToken, '!.')
    else if (ts.isExpressionStatement(node) && isCall(node.expression)) add('call', node, ';')
    else if (ts.isNumericLiteral(node) && isRule(file)) add('number', node, String(nextNumber(node)))
    else if (ts.isStringLiteral(node)) addState(node)
    else if (ts.isArrayLiteralExpression(node)) addArray(node)
    if (ts.isCallExpression(node)) addCall(node)
    if (ts.isFunctionLike(node) && 'body' in node) addFunctionBody(node as ts.FunctionLikeDeclaration)
    ts.forEachChild(node, walk)
  }
  walk(source)
  return found
}

export function applyMutant(text: string, { start, end, replacement }: Mutant): string {
  return text.slice(0, start) + replacement + text.slice(end)
}

/** A long list is data (cities, countries), not a decision. */
function isTable(node: ts.Node): boolean {
  for (let each = node; each !== undefined; each = each.parent)
    if (ts.isArrayLiteralExpression(each) && each.elements.length > 12) return true
  return false
}

const isRule = (file: string) => /\.rules\.tsx?$/.test(file)

const isNegation = (node: ts.Expression): node is ts.PrefixUnaryExpression =>
  ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken

const isCall = (node: ts.Expression): boolean =>
  ts.isAwaitExpression(node) || ts.isVoidExpression(node)
    ? isCall(node.expression)
    : ts.isCallExpression(node)

function leaves(statement: ts.Statement): boolean {
  if (ts.isBlock(statement)) {
    const [only, ...others] = statement.statements
    return only !== undefined && others.length === 0 && leaves(only)
  }
  return [
    ts.SyntaxKind.ReturnStatement,
    ts.SyntaxKind.ThrowStatement,
    ts.SyntaxKind.ContinueStatement,
    ts.SyntaxKind.BreakStatement,
  ].includes(statement.kind)
}

/** A count plus one, a duration doubled: a millisecond more would not change a rule. */
function nextNumber(node: ts.NumericLiteral): number {
  const value = Number(node.text.replaceAll('_', ''))
  return value < 1_000 ? value + 1 : value * 2
}

function isInJsx(node: ts.Node): boolean {
  const { parent } = node
  return (
    ts.isJsxAttribute(parent) ||
    (parent.parent !== undefined && ts.isJsxExpression(parent) && ts.isJsxAttribute(parent.parent))
  )
}

function otherState(node: ts.StringLiteral, checker: ts.TypeChecker | undefined): string | undefined {
  if (checker === undefined) return undefined
  const { parent } = node
  const isComparison =
    ts.isBinaryExpression(parent) && equalities[parent.operatorToken.getText()] !== undefined
  const type = isComparison
    ? checker.getTypeAtLocation(parent.left === node ? parent.right : parent.left)
    : ts.isCaseClause(parent)
      ? checker.getTypeAtLocation(parent.parent.parent.expression)
      : checker.getContextualType(node)
  if (!type?.isUnion()) return undefined
  const states = type.types.filter((each) => each.isStringLiteral()).map(({ value }) => value)
  // A longer union holds names (keys, fonts, addresses), not states.
  if (!states.includes(node.text) || states.length > 20) return undefined
  const sorted = states.toSorted()
  return sorted[(sorted.indexOf(node.text) + 1) % sorted.length]
}
