import { freeJsonLimits } from '@specboard/contract'
import type { Argument } from '../tools/arguments.ts'
import type { LeanProperty } from '../tools/lean-schema.ts'

type Kind = LeanProperty['type'] | undefined

/**
 * Repairs common mistakes in a value (mcp 8.4): an array or object as JSON text, a single value for an array, a number
 * or boolean as text, spaces around ids. Nothing else is guessed.
 * @param wraps whether a single value becomes an array; not if it would replace a list
 */
export function tolerant(
  { name, kind, itemKind }: Pick<Argument, 'name' | 'kind' | 'itemKind'>,
  value: unknown,
  wraps: boolean,
): unknown {
  if (name === 'fields' && Array.isArray(value)) return value.join(',')
  const parsed = kind === undefined || kind === 'array' || kind === 'object' ? fromJsonText(kind, value) : value
  if (kind !== 'array') return scalar(name, kind, parsed)
  const list = Array.isArray(parsed) ? parsed : wraps ? listOfOne(itemKind, parsed) : undefined
  // No schema accepts more elements than free-form JSON may have members.
  if (list === undefined || list.length > freeJsonLimits.members) return parsed
  if (itemKind === undefined || itemKind === 'object' || itemKind === 'array') return list
  return list.map(item => scalar(name, itemKind, item))
}

/** The list whose only item is the value; undefined if a list of that kind cannot hold it. */
function listOfOne(itemKind: Kind, value: unknown): readonly unknown[] | undefined {
  const item = itemKind === undefined || itemKind === 'object' ? fromJsonText('object', value) : value
  const isObject = typeof item === 'object' && item !== null
  const fits = itemKind === undefined || (itemKind !== 'array' && isObject === (itemKind === 'object'))
  return fits ? [item] : undefined
}

function fromJsonText(kind: Kind, value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value
  try {
    const parsed: unknown = JSON.parse(value)
    return kind === undefined || Array.isArray(parsed) === (kind === 'array') ? parsed : value
  } catch {
    return value
  }
}

const booleans: Readonly<Record<string, boolean>> = { true: true, false: false }

function scalar(name: string, kind: Kind, value: unknown): unknown {
  if (typeof value !== 'string') return value
  const text = value.trim()
  if ((kind === 'integer' || kind === 'number') && /^-?\d{1,15}(\.\d+)?$/.test(text)) return Number(text)
  if (kind === 'boolean' && Object.hasOwn(booleans, text)) return booleans[text]
  return isId(name) ? text : value
}

const isId = (name: string) => name === 'id' || name.endsWith('_id') || name.endsWith('_ids')
