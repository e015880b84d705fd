import { type ToolAnnotations, toolAnnotations } from './annotations.ts'
import type { LeanProperty } from './lean-schema.ts'

/** A tool that works on operations (mcp 11). */
export interface MetaDefinition {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: {
    readonly type: 'object'
    readonly properties: Readonly<Record<string, LeanProperty>>
    readonly required: readonly string[]
  }
  readonly annotations: ToolAnnotations
}

const text: LeanProperty = { type: 'string' }
const object: LeanProperty = { type: 'object' }

/** Writes whatever the named operation writes. */
const anyWrite: ToolAnnotations = { ...toolAnnotations.once, destructiveHint: true }

const all: readonly MetaDefinition[] = [
  {
    name: 'find_operations',
    title: 'Find operations',
    description: 'Find operations by words or feature; schema shows their arguments.',
    inputSchema: {
      type: 'object',
      properties: {
        query: text,
        feature: text,
        detail: { type: 'string', enum: ['brief', 'schema', 'full'] },
        limit: { type: 'integer', description: '1-20' },
      },
      required: ['query'],
    },
    annotations: toolAnnotations.read,
  },
  {
    name: 'read_operation',
    title: 'Read with an operation',
    description: 'Run an operation that only reads.',
    inputSchema: { type: 'object', properties: { name: text, arguments: object, fields: text }, required: ['name'] },
    annotations: toolAnnotations.read,
  },
  {
    name: 'call_operation',
    title: 'Call an operation',
    description: 'Run any operation by name.',
    inputSchema: { type: 'object', properties: { name: text, arguments: object, fields: text }, required: ['name'] },
    annotations: anyWrite,
  },
  {
    name: 'run_operations',
    title: 'Run operations',
    description:
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the placeholder is the tool's own
      'Run up to 25 operations in order; ${as.path} in arguments takes an earlier value. Stops at the first error.',
    inputSchema: {
      type: 'object',
      properties: {
        calls: { type: 'array', items: object, description: '{as,name*,arguments{},fields}' },
        continue_on_error: { type: 'boolean' },
      },
      required: ['calls'],
    },
    annotations: anyWrite,
  },
  {
    name: 'read_context',
    title: 'Read context',
    description: 'Read a specboard:// resource: a record, guide or operation.',
    inputSchema: { type: 'object', properties: { uri: text }, required: ['uri'] },
    annotations: toolAnnotations.read,
  },
]

/** The meta tools by name. */
export const metaDefinitions: ReadonlyMap<string, MetaDefinition> = new Map(all.map(tool => [tool.name, tool]))
