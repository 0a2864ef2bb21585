import { posix } from 'node:path'
import postcss from 'postcss'
import stylelint from 'stylelint'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { readRepoFile, repoFiles, repoRoot, testFile } from '#test/kit/repo/repo-files.ts'
import { parseSource, type SourceTree } from '#test/kit/repo/source-tree.ts'

/**
 * Arabic is written from right to left: styles name sides as start and end, so that they work in both directions. Every
 * text on the screen comes from a catalogue.
 */

const sides = 'left|right'

/** What stylelint.config.mjs finds, as `file:line text`. */
async function stylelintFindings(files: string[]): Promise<string[]> {
  const { results } = await stylelint.lint({ files, cwd: repoRoot })
  return results.flatMap(({ source, warnings }) =>
    warnings.map(({ line, text }) => `${source ?? ''}:${line} ${text}`),
  )
}

const sheets = repoFiles('client', /\.module\.css$/)

/** Every class of a style sheet. */
function classesOf(path: string): ReadonlySet<string> {
  const found = new Set<string>()
  postcss.parse(readRepoFile(path)).walkRules(({ selector }) => {
    for (const [, name = ''] of selector.matchAll(/\.([a-z]\w*)/gi)) found.add(name)
  })
  return found
}

/** The style sheets that a component imports, by the names it gives them. */
function importedSheets(path: string): ReadonlyMap<string, string> {
  const imports = readRepoFile(path).matchAll(/^import (\w+) from '(.+\.module\.css)'$/gm)
  return new Map(
    [...imports].map(([, name = '', from = '']) => [
      name,
      from.startsWith('#') ? from.slice(1) : posix.join(posix.dirname(path), from),
    ]),
  )
}

/** The classes that a component takes from style sheets, as `sheet name`; `*` for a name that is computed. */
function usedClasses(path: string): string[] {
  const text = readRepoFile(path)
  return [...importedSheets(path)].flatMap(([styles, sheet]) => {
    // Not the path of the import.
    const uses = text.matchAll(new RegExp(`(?<![\\w/])${styles}(?:\\.(\\w+)|\\[)`, 'g'))
    return [...uses].map(([, name = '*']) => `${sheet} ${name}`)
  })
}

interface StyledElement {
  readonly place: string
  readonly tag: string
  readonly attributes: ReadonlyMap<string, string>
  /** As `sheet name`. */
  readonly classes: readonly string[]
}

/** The elements of a component that name classes of style sheets. */
function styledElements(path: string): StyledElement[] {
  const imported = importedSheets(path)
  const tree = parseSource(path)
  const found: StyledElement[] = []
  tree.visit((node) => {
    if (!ts.isJsxOpeningElement(node) && !ts.isJsxSelfClosingElement(node)) return
    const attributes = new Map(
      node.attributes.properties
        .filter(ts.isJsxAttribute)
        .map(({ name, initializer }) => [name.getText(), initializer?.getText() ?? '']),
    )
    const classes = [...(attributes.get('className') ?? '').matchAll(/(\w+)\.(\w+)/g)].flatMap(
      ([, styles = '', name]) => (imported.has(styles) ? [`${imported.get(styles)} ${name}`] : []),
    )
    const tag = node.tagName.getText()
    if (classes.length > 0) found.push({ place: tree.locationOf(node), tag, attributes, classes })
  })
  return found
}

/** The classes, as `sheet name`, of which a style sheet asks whether they match `pseudo`. */
function classesWith(pseudo: string): string[] {
  return sheets.flatMap((path) =>
    [...readRepoFile(path).matchAll(/\.(\w+)((?::[\w-]+(?:\([^{},]*\))?)+)/g)].flatMap(
      ([, name, asked = '']) =>
        asked.includes(pseudo) && !asked.startsWith(':has') ? [`${path} ${name}`] : [],
    ),
  )
}

/** What the rules for a class alone set, custom properties left out. */
function propertiesOf(each: string): ReadonlySet<string> {
  const [path = '', name] = each.split(' ')
  const found = new Set<string>()
  postcss.parse(readRepoFile(path)).walkRules(({ selectors, nodes }) => {
    if (!selectors.includes(`.${name}`)) return
    for (const node of nodes) if (node.type === 'decl' && !node.prop.startsWith('--')) found.add(node.prop)
  })
  return found
}

const physicalProperty = new RegExp(
  `^((scroll)?(margin|padding|border)(${sides})\\w*|border(top|bottom)(${sides})radius|${sides})$`,
  'i',
)

/** Style objects and antd's placements. */
function physicalInCode(tree: SourceTree): string[] {
  const found: string[] = []
  tree.visit((node) => {
    if (ts.isPropertyAssignment(node) && physicalProperty.test(node.name.getText().replace(/['"]/g, '')))
      found.push(`${tree.locationOf(node)} ${node.name.getText()}`)
    const value = ts.isPropertyAssignment(node) || ts.isJsxAttribute(node) ? node.initializer : undefined
    const isSide =
      value !== undefined &&
      ts.isStringLiteral(value) &&
      /^(left|right|(top|bottom)(Left|Right))$/.test(value.text)
    if (
      isSide &&
      (ts.isPropertyAssignment(node) || ts.isJsxAttribute(node)) &&
      /^(textAlign|placement|align|float|tooltipPlacement|iconPosition)$/.test(node.name.getText())
    )
      found.push(`${tree.locationOf(node)} ${node.getText()}`)
  })
  return found
}

const spokenAttributes = new Set([
  ...['aria-label', 'aria-description', 'aria-roledescription', 'aria-placeholder', 'aria-valuetext'],
  ...['alt', 'title', 'placeholder', 'label', 'caption', 'text', 'message', 'description'],
  ...['okText', 'cancelText', 'notFoundContent', 'tip', 'content', 'extra', 'help'],
])
const hasWords = (text: string) => /\p{L}{2,}/u.test(text)

/** Literal words in JSX: as text, as a child in braces, or in an attribute that screen readers announce. */
function wordsInJsx(tree: SourceTree): string[] {
  const found: string[] = []
  const say = (node: ts.Node, text: string) => {
    if (hasWords(text)) found.push(`${tree.locationOf(node)} ${text.trim()}`)
  }
  const sayLiterals = (node: ts.Expression | undefined): void => {
    if (node === undefined) return
    if (ts.isStringLiteralLike(node)) say(node, node.text)
    else if (ts.isTemplateExpression(node)) {
      say(node, [node.head.text, ...node.templateSpans.map((span) => span.literal.text)].join(' '))
    } else if (ts.isConditionalExpression(node)) {
      sayLiterals(node.whenTrue)
      sayLiterals(node.whenFalse)
    } else if (ts.isBinaryExpression(node)) {
      sayLiterals(node.right)
    } else if (ts.isParenthesizedExpression(node)) sayLiterals(node.expression)
  }
  const sayAttribute = ({ name, initializer }: ts.JsxAttribute): void => {
    if (initializer === undefined || !spokenAttributes.has(name.getText())) return
    if (ts.isStringLiteral(initializer)) say(initializer, initializer.text)
    else if (ts.isJsxExpression(initializer)) sayLiterals(initializer.expression)
  }
  tree.visit((node) => {
    if (ts.isJsxText(node)) say(node, node.text)
    else if (ts.isJsxAttribute(node)) sayAttribute(node)
    else if (ts.isJsxExpression(node) && !ts.isJsxAttribute(node.parent)) sayLiterals(node.expression)
  })
  return found
}

it('style sheets use logical sides, words of layout and roles of text', async () => {
  expect(await stylelintFindings(['client/**/*.css'])).toEqual([])
})

it('style sheets call breakpoints by their names', () => {
  const unnamed = sheets.flatMap((path) =>
    [...readRepoFile(path).matchAll(/@media[^{]*width: \d+(?:\.\d+)?px/g)].map(
      ([found]) => `${path} ${found}`,
    ),
  )
  expect(unnamed).toEqual([])
})

describe('custom properties', () => {
  const code = repoFiles('client', /\.tsx?$/, testFile).map(readRepoFile)
  const styles = repoFiles('client', /\.css$/)
  const namesIn = (texts: readonly string[], pattern: RegExp) =>
    new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name = '']) => name)))
  const declaredIn = (paths: readonly string[]) => {
    const found = new Set<string>()
    for (const path of paths)
      postcss.parse(readRepoFile(path)).walkDecls(/^--/, ({ prop }) => void found.add(prop))
    return found
  }
  const used = namesIn([...styles.map(readRepoFile), ...code], /var\(\s*(--[\w-]+)/g)
  const quoted = namesIn(code, /'(--[\w-]+)'/g)

  it('are defined where they are used, and the tokens used where they are defined', () => {
    const known = new Set([
      ...declaredIn(styles),
      ...namesIn(code, /setProperty\('(--[\w-]+)'/g),
      ...namesIn(code, /'(--[\w-]+)'\]?:/g),
    ])
    expect(known.size).toBeGreaterThan(100)
    expect([...used, ...quoted].filter((name) => !known.has(name))).toEqual([])
    const tokens = declaredIn(['client/ui/tokens.css', 'client/ui/base.css'])
    expect([...tokens].filter((name) => !used.has(name) && !quoted.has(name))).toEqual([])
  })

  it('that are set for the buttons of a page do not reach a dialog that opens there', () => {
    const ofButtons = namesIn([readRepoFile('client/ui/button.module.css')], /var\((--button-\w+)/g)
    expect(ofButtons.size).toBeGreaterThan(0)
    const dialog = 'client/ui/overlay.module.css'
    const reset = namesIn([readRepoFile(dialog)], /(--button-\w+): initial;/g)
    expect([...ofButtons].filter((name) => !reset.has(name))).toEqual([])
  })
})

describe('class names', () => {
  const components = repoFiles('client', /\.tsx$/, testFile)

  it('come from the style sheets that a component imports, which know no others', () => {
    expect(sheets.length).toBeGreaterThan(30)
    const known = new Set(sheets.flatMap((path) => [...classesOf(path)].map((name) => `${path} ${name}`)))
    const used = new Set(components.flatMap(usedClasses))
    expect([...used].filter((each) => !each.endsWith(' *') && !known.has(each))).toEqual([])
    const isUsed = (each: string) => used.has(each) || used.has(each.replace(/ \w+$/, ' *'))
    expect([...known].filter((each) => !isUsed(each))).toEqual([])
    expect(sheets.filter((path) => readRepoFile(path).includes(':global'))).toEqual([])
  })

  it('are never written out, but for `visually-hidden`', () => {
    const literals = components.flatMap((path) =>
      [...readRepoFile(path).matchAll(/className="(?!visually-hidden")[^"]*"/g)].map(
        ([found]) => `${path} ${found}`,
      ),
    )
    expect(literals).toEqual([])
  })
})

describe('elements with classes', () => {
  const elements = repoFiles('client', /\.tsx$/, testFile).flatMap(styledElements)
  const placesOf = (classes: readonly string[], isWrong: (element: StyledElement) => boolean) =>
    elements
      .filter((element) => element.classes.some((each) => classes.includes(each)) && isWrong(element))
      .map(({ place, classes }) => `${place} ${classes.join(', ')}`)

  it('whose style depends on the direction of the page have none of their own', () => {
    const directed = classesWith(':dir(')
    expect(directed.length).toBeGreaterThan(3)
    expect(placesOf(directed, ({ attributes }) => attributes.has('dir'))).toEqual([])
  })

  it('whose style depends on the focus can have it', () => {
    const focused = classesWith(':focus-visible')
    expect(focused.length).toBeGreaterThan(1)
    const controls = ['a', 'button', 'input', 'select', 'textarea', 'Button', 'RowButton', 'Link']
    const cannot = ({ tag, attributes }: StyledElement) =>
      !controls.includes(tag) && !attributes.has('tabIndex')
    expect(placesOf(focused, cannot)).toEqual([])
    const unringed = elements.filter(({ attributes }) => attributes.has('data-unringed'))
    expect(unringed.length).toBeGreaterThan(3)
    expect(unringed.filter(cannot)).toEqual([])
  })

  it('of two sheets of one layer take no property from both: the sheet loaded last would win', () => {
    const layerOf = (each: string) => (each.startsWith('client/ui/layout.') ? 'layout' : each.split('/')[1])
    const clashes = elements.flatMap(({ place, classes }) =>
      classes.flatMap((one, index) =>
        classes.slice(index + 1).flatMap((other) => {
          if (layerOf(one) !== layerOf(other) || one.split(' ')[0] === other.split(' ')[0]) return []
          const ofOther = propertiesOf(other)
          return [...propertiesOf(one)].filter((each) => ofOther.has(each)).map((each) => `${place} ${each}`)
        }),
      ),
    )
    expect(clashes).toEqual([])
  })
})

it('style objects of the app name start and end', () => {
  const components = repoFiles('client', /\.tsx$/, testFile)
  expect(components.flatMap((path) => physicalInCode(parseSource(path)))).toEqual([])
})

it('texts come from the catalogues everywhere in the app', () => {
  const components = repoFiles('client', /\.tsx$/, testFile)
  expect(components.flatMap((path) => wordsInJsx(parseSource(path)))).toEqual([])
})

it('tests of the whole gateway speak to it over connections', () => {
  const tests = ['api', 'attacks', 'money', 'journeys'].flatMap((folder) =>
    repoFiles(`test/${folder}`, testFile),
  )
  expect(tests.length).toBeGreaterThan(50)
  expect(tests.filter((path) => readRepoFile(path).includes('.inject('))).toEqual([])
})

describe('an object literal', () => {
  const spreadIn = (tree: SourceTree): string[] => {
    const found: string[] = []
    tree.visit((node) => {
      if (ts.isSpreadAssignment(node) && ts.isObjectLiteralExpression(node.expression))
        found.push(tree.locationOf(node))
    })
    return found
  }

  it('is not spread into another one: each property has its own place', () => {
    expect(spreadIn(parseSource('a.ts', 'f({ ...{ a, b } })'))).toEqual(['a.ts:1'])
    expect(spreadIn(parseSource('a.ts', 'f({ ...(a && { b }), ...c })'))).toEqual([])
    // A migration is never edited.
    const sources = repoFiles('', /\.tsx?$/, /\/migrations\//)
    expect(sources.length).toBeGreaterThan(1_000)
    expect(sources.flatMap((path) => spreadIn(parseSource(path)))).toEqual([])
  })
})
