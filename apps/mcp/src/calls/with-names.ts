/** Replaces ids with references in what models read (crew 8.1). */
import type { ValueText } from './ceiling.ts'
import { isObject, type JsonObject } from './lean-value.ts'
import type { Arguments } from './read-arguments.ts'

/** Members whose values are ids, or lists of them, although their names do not say so. */
const idMembers: ReadonlySet<string> = new Set(['id', 'who', 'by', 'path', 'dependencies', 'agents', 'boards'])

/** Members whose values are ids, or lists of them. */
const isIdMember = (key: string): boolean => idMembers.has(key) || /_(?:id|ids|by)$/.test(key)

/** Objects whose members are called by ids: what agents did in a card, and who has seen its parts. */
const isKeyedById = (key: string): boolean => key === 'roles' || key === 'items'

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const isId = (value: unknown): value is string => typeof value === 'string' && uuid.test(value)

/** The ids in an answer. */
export function* idsIn(value: unknown, key = ''): Iterable<string> {
  if (Array.isArray(value)) for (const item of value) yield* idsIn(item, key)
  else if (isObject(value))
    for (const [name, member] of Object.entries(value)) {
      if (isKeyedById(key) && isId(name)) yield name
      yield* idsIn(member, name)
    }
  else if (isId(value) && isIdMember(key)) yield value
}

/** The members next to an id that say what it references. */
const besides = (key: string): readonly string[] => {
  if (key === 'id') return ['ref', 'key', 'name']
  const base = key.endsWith('_id') ? key.slice(0, -'_id'.length) : key
  return [`${base}_ref`, `${base}_key`, `${base}_name`]
}

/** The name of a member of the value under a key. */
const memberName = (name: string, key: string, names: ReadonlyMap<string, string>): string =>
  isKeyedById(key) && isId(name) ? (names.get(name) ?? name) : name

/** A value with ids replaced by names where they have one, with all of its members. */
export function renamed(value: unknown, names: ReadonlyMap<string, string>, key = ''): unknown {
  if (Array.isArray(value)) return value.map(item => renamed(item, names, key))
  if (isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [memberName(name, key, names), renamed(member, names, name)]),
    )
  return isId(value) && isIdMember(key) ? (names.get(value) ?? value) : value
}

/** The reference next to an id that has no name, as for a part within a record (crew 8.2). */
const ownName = (value: JsonObject, name: string, names: ReadonlyMap<string, string>): string | undefined =>
  name === 'id' && isId(value.id) && !names.has(value.id) && typeof value.ref === 'string' ? value.ref : undefined

/** A value with ids replaced by names where they have one, without the neighbouring members that say the same. */
export function named(value: unknown, names: ReadonlyMap<string, string>, key = ''): unknown {
  if (Array.isArray(value)) return value.map(item => named(item, names, key))
  if (isObject(value)) {
    const redundant = new Set<string>()
    const members = Object.entries(value).map(([name, member]) => {
      const replacement = ownName(value, name, names) ?? named(member, names, name)
      if (replacement !== member && isId(member))
        for (const beside of besides(name))
          if (value[beside] === replacement || beside.endsWith('_name')) redundant.add(beside)
      return [memberName(name, key, names), replacement] as const
    })
    return Object.fromEntries(members.filter(([name]) => !redundant.has(name)))
  }
  return renamed(value, names, key)
}

/** An answer without members that repeat by name what the call sent, in the answer and in the records in it. */
function unsent(value: JsonObject, args: Arguments, depth = 1): JsonObject {
  const isSent = (name: string, member: unknown) => Object.hasOwn(args, name) && args[name] === member
  const isEcho = (name: string, member: unknown) =>
    name !== 'id' && isIdMember(name) && (isSent(name, member) || isSent('record', member))
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, member]) => !isEcho(name, member))
      .map(([name, member]) => [name, depth > 0 && isObject(member) ? unsent(member, args, depth - 1) : member]),
  )
}

/**
 * An answer with ids replaced by names, and without the neighbouring members that say the same.
 * @param args the arguments of a write, which its answer does not repeat
 */
export function withNames(valueText: ValueText, names: ReadonlyMap<string, string>, args: Arguments = {}): ValueText {
  const { value, within, ...others } = valueText
  const result = unsent(named(value, names) as JsonObject, args)
  return {
    ...others,
    value: result,
    text: JSON.stringify(result),
    ...(within !== undefined && { within: ceiling => withNames(within(ceiling), names, args) }),
  }
}
