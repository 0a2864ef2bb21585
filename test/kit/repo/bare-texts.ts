import ts from 'typescript'
import {
  declarationOf,
  type FunctionNode,
  functionOf,
  memberType,
  type ReadFile,
  returnedBy,
} from './declarations.ts'

/**
 * A browser that translates a page takes each text node out of the document and puts its own elements in its place. React
 * still holds the node: when the text changes, the page keeps the old one, and when the node is removed, or something is put
 * before it, React throws and the page is lost. This concerns text nodes that have siblings. A text that is the only child of its element is safe,
 * because React sets the text of the element; so is one that never changes, among elements that stay.
 *
 * `fixed` is a text that changes with the language alone; `slot` is what another component gives.
 */
type Outcome = 'fixed' | 'text' | 'element' | 'nothing' | 'list' | 'slot'
type Outcomes = ReadonlySet<Outcome>

export interface BareText {
  readonly node: ts.Node
  readonly why: string
}

/** `client/ui/words.tsx`, which gives a text an element. */
const words = 'Words'

const isText = (outcome: Outcome) => outcome === 'fixed' || outcome === 'text'
const hasText = (outcomes: Outcomes) => [...outcomes].some(isText)
const union = (sets: readonly Outcomes[]): Outcomes => new Set(sets.flatMap((set) => [...set]))
const only = (outcome: Outcome): Outcomes => new Set([outcome])

/** @returns what finds the texts of a file that are not safe. */
export function createBareTexts(read: ReadFile): (file: ts.SourceFile) => BareText[] {
  const known = new Map<FunctionNode, Outcomes>()

  function outcomesOf(node: ts.Node | undefined): Outcomes {
    if (node === undefined || isNothing(node)) return only('nothing')
    if (ts.isJsxText(node) || ts.isStringLiteralLike(node)) return only('fixed')
    if (ts.isArrayLiteralExpression(node)) return only('list')
    if (ts.isArrowFunction(node)) return only('element')
    return outcomesOfTags(node) ?? outcomesOfExpression(node)
  }

  function outcomesOfTags(node: ts.Node): Outcomes | undefined {
    if (ts.isJsxElement(node)) return outcomesOfTag(node.openingElement.tagName)
    if (ts.isJsxSelfClosingElement(node)) return outcomesOfTag(node.tagName)
    return ts.isJsxFragment(node) ? union(contentOf(node).map(outcomesOf)) : undefined
  }

  function outcomesOfExpression(node: ts.Node): Outcomes {
    if (ts.isParenthesizedExpression(node) || ts.isJsxExpression(node)) return outcomesOf(node.expression)
    if (ts.isConditionalExpression(node))
      return union([outcomesOf(node.whenTrue), outcomesOf(node.whenFalse)])
    if (ts.isBinaryExpression(node)) return outcomesOfOperation(node)
    if (ts.isIdentifier(node)) return outcomesOfName(node)
    if (ts.isCallExpression(node)) return outcomesOfCall(node)
    return only(ts.isPropertyAccessExpression(node) && isNodeType(typeOfMember(node)) ? 'slot' : 'text')
  }

  function outcomesOfOperation({ left, right, operatorToken }: ts.BinaryExpression): Outcomes {
    if (operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken)
      return union([only('nothing'), outcomesOf(right)])
    const ors = [ts.SyntaxKind.QuestionQuestionToken, ts.SyntaxKind.BarBarToken]
    if (!ors.includes(operatorToken.kind)) return only('text')
    const first = [...outcomesOf(left)].filter((outcome) => outcome !== 'nothing')
    return union([new Set(first), outcomesOf(right)])
  }

  function outcomesOfCall({ expression, arguments: values }: ts.CallExpression): Outcomes {
    if (!ts.isIdentifier(expression)) return only(isListing(expression) ? 'list' : 'text')
    const declared = declarationOf(expression.text, expression, read)
    if (expression.text === 't' || isRenamedT(declared)) return only(isFixedKey(values) ? 'fixed' : 'text')
    const called = functionOf(declared)
    if (called !== undefined) return returnsOf(called)
    return only(declared !== undefined && isNodeType(typeOfBound(declared)) ? 'slot' : 'text')
  }

  function outcomesOfName(name: ts.Identifier): Outcomes {
    if (name.text === 'undefined') return only('nothing')
    const declared = declarationOf(name.text, name, read)
    if (declared === undefined) return only('text')
    if (ts.isVariableDeclaration(declared) && declared.initializer !== undefined)
      return outcomesOf(declared.initializer)
    return only(name.text === 'children' || isNodeType(typeOfBound(declared)) ? 'slot' : 'text')
  }

  /** Texts that a component returns are found where it is written. */
  function outcomesOfTag(tag: ts.JsxTagNameExpression): Outcomes {
    const component = componentOf(tag)
    if (component === undefined) return only('element')
    return new Set([...returnsOf(component)].map((outcome) => (outcome === 'nothing' ? outcome : 'element')))
  }

  function componentOf(tag: ts.JsxTagNameExpression): FunctionNode | undefined {
    const isOwn = ts.isIdentifier(tag) && /^[A-Z]/.test(tag.text)
    return isOwn ? functionOf(declarationOf(tag.text, tag, read)) : undefined
  }

  function returnsOf(fn: FunctionNode): Outcomes {
    const found = known.get(fn)
    if (found !== undefined) return found
    // A function that calls itself.
    known.set(fn, only('element'))
    const outcomes = union(returnedBy(fn).map(outcomesOf))
    known.set(fn, outcomes)
    return outcomes
  }

  /** The written type of a parameter, or of a name that is destructured from a parameter or from the result of a hook. */
  function typeOfBound(declared: ts.Node): ts.TypeNode | undefined {
    if (ts.isParameter(declared)) return declared.type
    if (!ts.isBindingElement(declared)) return undefined
    const source = declared.parent.parent
    const initializer = ts.isVariableDeclaration(source) ? source.initializer : undefined
    // As of `useState<ReactNode>`.
    if (initializer !== undefined && ts.isArrayBindingPattern(declared.parent))
      return typeGivenTo(initializer)
    const type = initializer === undefined ? typeOfBound(source) : typeOfValue(initializer)
    return type && memberType(type, (declared.propertyName ?? declared.name).getText(), read)
  }

  function typeOfValue(value: ts.Expression): ts.Node | undefined {
    if (ts.isCallExpression(value) && ts.isIdentifier(value.expression))
      return functionOf(declarationOf(value.expression.text, value, read))?.type
    if (!ts.isIdentifier(value)) return undefined
    const declared = declarationOf(value.text, value, read)
    if (declared === undefined) return undefined
    return ts.isVariableDeclaration(declared) && declared.initializer
      ? typeOfValue(declared.initializer)
      : typeOfBound(declared)
  }

  function typeOfMember({ expression, name }: ts.PropertyAccessExpression): ts.TypeNode | undefined {
    const type = typeOfValue(expression)
    return type && memberType(type, name.text, read)
  }

  function bareAmong(content: readonly ts.Node[]): BareText[] {
    const all = content.map((node) => ({ node, outcomes: outcomesOf(node) }))
    if (all.length < 2) return []
    return all.flatMap(({ node, outcomes }, index): BareText[] => {
      if (!hasText(outcomes)) return []
      if (![...outcomes].every(isText)) return [{ node, why: 'comes and goes beside siblings' }]
      const others = all.filter((_, other) => other !== index)
      const isUnsteady = others.some(({ outcomes: of }) => of.has('nothing') || of.has('list') || of.size > 1)
      if (isUnsteady) return [{ node, why: 'stands beside what comes and goes' }]
      return outcomes.has('text') ? [{ node, why: 'changes beside siblings' }] : []
    })
  }

  /** Texts that a component, or a fragment that is not written inside an element, puts among elements that it does not know. */
  function bareInFragments(node: ts.Node): BareText[] {
    if (!ts.isJsxFragment(node) || ts.isJsxElement(node.parent) || ts.isJsxFragment(node.parent)) return []
    const texts = contentOf(node).filter((child) => hasText(outcomesOf(child)))
    return texts.map((text) => ({ node: text, why: 'has no element of its own in a fragment' }))
  }

  function bareInReturns(node: ts.Node): BareText[] {
    const name =
      ts.isFunctionDeclaration(node) || ts.isVariableDeclaration(node) ? node.name?.getText() : undefined
    const component = name !== undefined && /^[A-Z]/.test(name) ? functionOf(node) : undefined
    if (component === undefined) return []
    const plain = returnedBy(component).filter((each) => each !== undefined && !ts.isJsxFragment(bare(each)))
    const texts = plain.filter((each) => hasText(outcomesOf(each)))
    return texts.flatMap((each) => (each ? [{ node: each, why: 'is what a component returns' }] : []))
  }

  /** Texts given to a component that puts them beside others. */
  function bareInSlots(node: ts.Node): BareText[] {
    if (!ts.isJsxElement(node) && !ts.isJsxSelfClosingElement(node)) return []
    const opening = ts.isJsxElement(node) ? node.openingElement : node
    const component = componentOf(opening.tagName)
    if (component === undefined) return []
    const given = opening.attributes.properties.flatMap((each) =>
      ts.isJsxAttribute(each) && each.initializer
        ? [{ prop: each.name.getText(), value: each.initializer as ts.Node }]
        : [],
    )
    const content = ts.isJsxElement(node) ? contentOf(node) : []
    for (const child of content) given.push({ prop: 'children', value: child })
    return given
      .filter(({ prop, value }) => hasText(outcomesOf(value)) && isBareSlot(component, prop))
      .map(({ prop, value }) => ({ node: value, why: `is put beside others as ${prop}` }))
  }

  const bareSlots = new Map<FunctionNode, ReadonlySet<string>>()

  /** Whether a component puts what it is given beside other children, or where it does not know what is beside it. */
  function isBareSlot(component: FunctionNode, prop: string): boolean {
    const found = bareSlots.get(component) ?? new Set()
    if (bareSlots.has(component)) return found.has(prop)
    bareSlots.set(component, found)
    const bareNames = slotsBeside(component)
    bareSlots.set(component, bareNames)
    return bareNames.has(prop)
  }

  function slotsBeside(component: FunctionNode): ReadonlySet<string> {
    const found = new Set<string>()
    const add = (nodes: readonly ts.Node[]) => {
      for (const node of nodes) for (const name of slotNamesIn(node)) found.add(name)
    }
    for (const returned of returnedBy(component))
      if (returned && !ts.isJsxElement(bare(returned))) add([returned])
    const walk = (node: ts.Node): void => {
      if (ts.isJsxFragment(node)) add(contentOf(node))
      if (ts.isJsxElement(node)) {
        const content = contentOf(node)
        const inner = componentOf(node.openingElement.tagName)
        const isWords = node.openingElement.tagName.getText() === words
        if (content.length > 1 || (inner !== undefined && !isWords && isBareSlot(inner, 'children')))
          add(content)
      }
      ts.forEachChild(node, walk)
    }
    if (component.body) walk(component.body)
    return found
  }

  /** The slots that an expression names outside of elements. */
  function slotNamesIn(node: ts.Node): string[] {
    if (ts.isJsxElement(node) || ts.isJsxSelfClosingElement(node)) return []
    if (ts.isJsxFragment(node)) return contentOf(node).flatMap(slotNamesIn)
    if (ts.isIdentifier(node)) return outcomesOf(node).has('slot') ? [node.text] : []
    if (ts.isConditionalExpression(node)) return [node.whenTrue, node.whenFalse].flatMap(slotNamesIn)
    const found: string[] = []
    ts.forEachChild(node, (child) => void found.push(...slotNamesIn(child)))
    return found
  }

  return (file) => {
    const found: BareText[] = []
    const walk = (node: ts.Node): void => {
      if (ts.isJsxElement(node)) found.push(...bareAmong(contentOf(node)))
      found.push(...bareInFragments(node), ...bareInReturns(node), ...bareInSlots(node))
      ts.forEachChild(node, walk)
    }
    walk(file)
    return found
  }
}

const isNothing = ({ kind }: ts.Node) =>
  kind === ts.SyntaxKind.NullKeyword || kind === ts.SyntaxKind.FalseKeyword

const isListing = (called: ts.Expression) =>
  ts.isPropertyAccessExpression(called) && /^(?:map|flatMap)$/.test(called.name.text)

const typeGivenTo = (value: ts.Expression) =>
  ts.isCallExpression(value) ? value.typeArguments?.[0] : undefined

/** A key without values: its text changes with the language alone. */
const isFixedKey = ([key, ...values]: readonly ts.Expression[]) =>
  key !== undefined && values.length === 0 && ts.isStringLiteral(key)

/** The function `t` of a hook under another name. */
const isRenamedT = (declared: ts.Node | undefined) =>
  declared !== undefined && ts.isBindingElement(declared) && declared.propertyName?.getText() === 't'

const isNodeType = (type: ts.TypeNode | undefined) =>
  type !== undefined && /\bReact(?:Node|Element)\b/.test(type.getText())

const isBlank = (node: ts.Expression | undefined) =>
  node === undefined || (ts.isStringLiteralLike(node) && node.text.trim() === '')

const bare = (node: ts.Expression): ts.Expression =>
  ts.isParenthesizedExpression(node) ? bare(node.expression) : node

/** The children of an element or a fragment, with those of fragments among them. Browsers leave blanks where they are. */
function contentOf(parent: ts.JsxElement | ts.JsxFragment): ts.Node[] {
  return parent.children.flatMap((child): ts.Node[] => {
    if (ts.isJsxText(child) && child.text.trim() === '') return []
    if (ts.isJsxExpression(child) && isBlank(child.expression)) return []
    return ts.isJsxFragment(child) ? contentOf(child) : [child]
  })
}
