/**
 * The types of `specboard/client`, printed from the OpenAPI document: those of the workspace are derived from zod's
 * schemas, which users of the package do not have and whose type checking would be slow.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { methodName, routeOf } from '@specboard/client'
import { type AnyOperation, registry } from '@specboard/contract'
import { openApiDocument } from '@specboard/http'
import { isolatedDeclarationSync } from 'rolldown/experimental'
import { root } from './root.ts'
import { type JsonSchema, nameIn, reachedFrom, typeOf } from './types-of.ts'

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly schema: JsonSchema
}

type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>

/** An operation in the document. */
interface DocumentedOperation {
  readonly description: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required?: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
}

/** The types that calls have in common, copied from their source. */
export function callDeclarations(): string {
  const file = join(root, 'packages/client/src/call.ts')
  const { code, errors } = isolatedDeclarationSync(file, readFileSync(file, 'utf8'))
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'))
  return code
}

/** The types of the client: a method for each operation, and the types of every argument and answer. */
export function clientDeclarations(version: string): string {
  const document = JSON.parse(openApiDocument(version)) as OpenApi
  const { schemas } = document.components
  const methods = registry.map(operation => methodOf(operation, document))
  const used = methods.flatMap(({ schemas }) => schemas)
  const components = reachedFrom(used, schemas).map(name => declarationOf(name, schemas[name]!))
  return `${[head, ...components, clientInterface(methods), tail].join('\n\n')}\n`
}

const head = [
  "import type { CallOptions, ClientOptions, Listed } from './call.js'",
  "export { type CallOptions, ClientError, type ClientOptions, type Listed } from './call.js'",
].join('\n\n')

const tail = `/**
 * A typed client of the service. Every method takes path, query and body in one object under their API names, and
 * throws a {@link ClientError} for a refused call.
 *
 * @example
 * const client = createClient({ url: 'http://127.0.0.1:8100', key })
 * const board = await client.createBoard({ name: 'Product', description: '' })
 * const { items, total } = await client.listIdeations({ board_id: board.id })
 */
export declare function createClient(options: ClientOptions): Client`

const declarationOf = (name: string, schema: JsonSchema): string =>
  schema.type === 'object' && schema.properties !== undefined
    ? `export interface ${name} ${typeOf(schema)}`
    : `export type ${name} = ${typeOf(schema)}`

interface Method {
  readonly text: string
  /** The schemas that its arguments and its answer have. */
  readonly schemas: readonly JsonSchema[]
}

const clientInterface = (methods: readonly Method[]): string =>
  `/** One method per operation, named in camel case. */\nexport interface Client {\n${methods.map(({ text }) => text).join('\n')}\n}`

function methodOf(operation: AnyOperation, { paths, components }: OpenApi): Method {
  const documented = paths[operation.path]![operation.method.toLowerCase()]!
  const inputs = argumentsOf(operation, documented)
  const answer = answerOf(operation, documented)
  const argument = `args${isOptional(inputs, components.schemas) ? '?' : ''}: ${inputs.map(schema => typeOf(schema, 1)).join(' & ') || '{}'}`
  const result = resultOf(operation, answer)
  const text = `${commentOf(operation)}\n  ${methodName(operation.name)}(${argument}, options?: CallOptions): Promise<${result}>`
  return { text, schemas: [...inputs, ...(answer === undefined ? [] : [answer])] }
}

/** The schemas that the arguments have together: of path and query, and of the body. */
function argumentsOf({ kind }: AnyOperation, { parameters = [], requestBody }: DocumentedOperation): JsonSchema[] {
  const named = parameters.filter(({ in: place }) => place !== 'header')
  const outside: JsonSchema = {
    type: 'object',
    properties: Object.fromEntries(named.map(({ name, schema }) => [name, schema])),
    required: named.filter(({ required }) => required).map(({ name }) => name),
  }
  const body = kind === 'upload' ? undefined : requestBody?.content['application/json']?.schema
  return [
    ...(named.length === 0 ? [] : [outside]),
    ...(kind === 'upload' ? [{ type: 'object', properties: { file: { tsType: 'File' } }, required: ['file'] }] : []),
    ...(body === undefined ? [] : [body]),
  ]
}

/** Whether the arguments can be omitted. */
const isOptional = (inputs: readonly JsonSchema[], schemas: OpenApi['components']['schemas']): boolean =>
  inputs.every(schema => {
    const { required = [] } = schema.$ref === undefined ? schema : schemas[nameIn(schema.$ref)]!
    return required.length === 0
  })

function answerOf({ status }: AnyOperation, { responses }: DocumentedOperation): JsonSchema | undefined {
  return responses[status]?.content?.['application/json']?.schema
}

function resultOf(operation: AnyOperation, answer: JsonSchema | undefined): string {
  const { kind } = routeOf(operation)
  if (kind === 'raw') return 'Response'
  if (answer === undefined) return 'undefined'
  return kind === 'list' ? `Listed<${typeOf(answer.items!, 1)}>` : typeOf(answer, 1)
}

function commentOf({ description, method, path, permission, errors }: AnyOperation): string {
  const asks = permission === 'public' ? 'no key' : permission === '-' ? 'any key' : permission
  const lines = [
    description,
    '',
    `\`${method} ${path}\`, asks for ${asks}.`,
    ...(errors.length === 0 ? [] : [`Refuses with ${errors.join(', ')}.`]),
  ]
  return ['  /**', ...lines.map(line => `   * ${line}`.trimEnd()), '   */'].join('\n')
}
