import { posix } from 'node:path'
import ts from 'typescript'

/** Finds declarations by the syntax alone: in the scope of a name, in its file, or in the file that it is imported from. */

export type FunctionNode = ts.FunctionDeclaration | ts.FunctionExpression | ts.ArrowFunction

/** Reads another file. @returns undefined for one that is not of the repository. */
export type ReadFile = (path: string) => ts.SourceFile | undefined

export function functionOf(node: ts.Node | undefined): FunctionNode | undefined {
  if (node === undefined) return undefined
  if (ts.isFunctionDeclaration(node) || ts.isArrowFunction(node) || ts.isFunctionExpression(node)) return node
  return ts.isVariableDeclaration(node) ? functionOf(node.initializer) : undefined
}

/** The returned expressions of a function; undefined for a `return` without a value. */
export function returnedBy({ body }: FunctionNode): (ts.Expression | undefined)[] {
  if (body === undefined) return []
  if (!ts.isBlock(body)) return [body]
  const found: (ts.Expression | undefined)[] = []
  const walk = (node: ts.Node): void => {
    if (ts.isReturnStatement(node)) found.push(node.expression)
    if (!ts.isFunctionLike(node)) ts.forEachChild(node, walk)
  }
  ts.forEachChild(body, walk)
  return found
}

export function declarationOf(name: string, at: ts.Node, read: ReadFile): ts.Node | undefined {
  for (let scope: ts.Node | undefined = at; scope !== undefined; scope = scope.parent) {
    const found = declaredIn(scope, name)
    if (found !== undefined) return found
  }
  return importedAs(name, at.getSourceFile(), read)
}

function declaredIn(scope: ts.Node, name: string): ts.Node | undefined {
  if (ts.isFunctionLike(scope)) return firstOf(scope.parameters, (parameter) => boundIn(parameter, name))
  if (!ts.isBlock(scope) && !ts.isSourceFile(scope)) return undefined
  return firstOf(scope.statements, (statement) => {
    if (ts.isVariableStatement(statement))
      return firstOf(statement.declarationList.declarations, (declaration) => boundIn(declaration, name))
    const isNamed =
      ts.isFunctionDeclaration(statement) ||
      ts.isInterfaceDeclaration(statement) ||
      ts.isTypeAliasDeclaration(statement)
    return isNamed && statement.name?.text === name ? statement : undefined
  })
}

function boundIn(
  declaration: ts.ParameterDeclaration | ts.VariableDeclaration | ts.BindingElement,
  name: string,
): ts.Node | undefined {
  const { name: bound } = declaration
  if (ts.isIdentifier(bound)) return bound.text === name ? declaration : undefined
  return firstOf(bound.elements, (element) =>
    ts.isBindingElement(element) ? boundIn(element, name) : undefined,
  )
}

function importedAs(name: string, file: ts.SourceFile, read: ReadFile): ts.Node | undefined {
  return firstOf(file.statements, (statement) => {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) return undefined
    const bindings = statement.importClause?.namedBindings
    if (bindings === undefined || !ts.isNamedImports(bindings)) return undefined
    const binding = bindings.elements.find((each) => each.name.text === name)
    const path = pathOf(statement.moduleSpecifier.text, file.fileName)
    const other = binding && path && read(path)
    return other ? declaredIn(other, binding?.propertyName?.text ?? name) : undefined
  })
}

function pathOf(specifier: string, importer: string): string | undefined {
  if (specifier.startsWith('#')) return specifier.slice(1)
  return specifier.startsWith('.') ? posix.join(posix.dirname(importer), specifier) : undefined
}

/** The written type of a member of a type, also of one that it extends or is made of. */
export function memberType(type: ts.Node, name: string, read: ReadFile): ts.TypeNode | undefined {
  const among = (types: Iterable<ts.Node>) => firstOf(types, (each) => memberType(each, name, read))
  if (ts.isIntersectionTypeNode(type) || ts.isUnionTypeNode(type)) return among(type.types)
  if (ts.isTypeAliasDeclaration(type)) return memberType(type.type, name, read)
  if (ts.isTypeLiteralNode(type) || ts.isInterfaceDeclaration(type)) {
    const member = type.members.find((each) => each.name?.getText() === name)
    if (member !== undefined) return ts.isPropertySignature(member) ? member.type : undefined
    return among(extendedBy(type))
  }
  const reference = referenceOf(type)
  if (reference === undefined) return undefined
  const declared = declarationOf(reference.name, type, read)
  return (declared && memberType(declared, name, read)) ?? among(reference.types)
}

const extendedBy = (type: ts.TypeLiteralNode | ts.InterfaceDeclaration): ts.Node[] =>
  ts.isInterfaceDeclaration(type) ? (type.heritageClauses ?? []).flatMap(({ types }) => [...types]) : []

/** The name of a type that is written elsewhere, and the types given to it. */
function referenceOf(type: ts.Node) {
  if (ts.isTypeReferenceNode(type)) return { name: type.typeName.getText(), types: type.typeArguments ?? [] }
  if (!ts.isExpressionWithTypeArguments(type)) return undefined
  return { name: type.expression.getText(), types: type.typeArguments ?? [] }
}

function firstOf<T, R>(values: Iterable<T>, find: (value: T) => R | undefined): R | undefined {
  for (const value of values) {
    const found = find(value)
    if (found !== undefined) return found
  }
  return undefined
}
