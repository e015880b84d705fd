import type { AnyOperation } from '@specboard/contract'
import { z } from 'zod'
import { answersList } from './answers.ts'
import { core, kindOf } from './lean-schema.ts'

/** The JSON Schema of a tool's value; only `id` is required, and other members may appear (mcp 7.5). */
export interface OutputSchema {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, OutputProperty>>
  readonly required?: readonly ['id']
}

interface OutputProperty {
  readonly type?: string
  readonly items?: OutputProperty
}

const maxLength = 1200

const page: OutputSchema = {
  type: 'object',
  properties: {
    items: { type: 'array', items: { type: 'object' } },
    total: { type: 'integer' },
    offset: { type: 'integer' },
    next_offset: { type: 'integer' },
  },
}

const done: OutputSchema = {
  type: 'object',
  properties: { ok: { type: 'boolean' }, operation: { type: 'string' }, id: { type: 'string' } },
}

/** The output schema of an operation; undefined when the answer is not JSON. */
export function outputSchemaOf(operation: AnyOperation): OutputSchema | undefined {
  if (answersList(operation)) return page
  if (operation.kind !== undefined && operation.response === undefined) return undefined
  if (operation.response === undefined) return done
  const inner = core(operation.response)
  if (!(inner instanceof z.ZodObject)) return { type: 'object', properties: {} }
  const entries = Object.entries(inner.shape).map(([name, schema]) => [name, property(schema as z.ZodType)] as const)
  while (true) {
    const schema: OutputSchema = {
      type: 'object',
      properties: Object.fromEntries(entries),
      ...('id' in inner.shape && { required: ['id'] as const }),
    }
    if (JSON.stringify(schema).length <= maxLength) return schema
    entries.pop()
  }
}

function property(schema: z.ZodType): OutputProperty {
  const type = kindOf(schema)
  const inner = core(schema)
  if (type === undefined) return {}
  return inner instanceof z.ZodArray ? { type, items: property(inner.element as z.ZodType) } : { type }
}
