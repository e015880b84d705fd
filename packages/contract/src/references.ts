/** Where the input of an operation names records: there a reference is accepted as well as an id (work 1). */
import { z } from 'zod'
import { bare } from './issues.ts'
import type { AnyOperation } from './operation.ts'

/** The kinds of record that a reference or, for a board, a key can name. */
export const referredKinds = ['board', 'ideation', 'refinement', 'spec', 'sprint', 'card'] as const

/** A kind of record with a reference or key. */
export type ReferredKind = (typeof referredKinds)[number]

/** The kinds of part of a record that a reference can name, each with its letter: `SPE-14.q2` (crew 8.2). */
export const partLetters = {
  question: 'q',
  comment: 'c',
  knowledge: 'k',
  validation: 'v',
  evaluation: 'e',
  attachment: 'a',
  architecture_design: 'd',
} as const

/** A kind of part with a reference. */
export type PartKind = keyof typeof partLetters

/** All kinds of part. */
export const partKinds = Object.keys(partLetters) as readonly PartKind[]

/** The kind of part with a letter; undefined if no kind has it. */
export const partKindOf = (letter: string): PartKind | undefined => partKinds.find(kind => partLetters[kind] === letter)

/** Whether a kind is that of a part. */
export const isPartKind = (kind: string): kind is PartKind => Object.hasOwn(partLetters, kind)

/** The kind of record that an id means; `any` if another field has its kind, or if any kind is possible. */
export type NamedKind = ReferredKind | PartKind | 'any'

/** The kind of record that a field with a given name means, in every path, query and body; also for lists of ids. */
const kindByField: Readonly<Record<string, NamedKind>> = {
  board_id: 'board',
  board_ids: 'board',
  muted_boards: 'board',
  ideation_id: 'ideation',
  refinement_id: 'refinement',
  spec_id: 'spec',
  sprint_id: 'sprint',
  card_id: 'card',
  card_ids: 'card',
  depends_on_id: 'card',
  depends_on: 'card',
  linked: 'card',
  origin_task_id: 'card',
  test_task_id: 'card',
  linked_test_task_ids: 'card',
  linked_task_ids: 'card',
  entity_id: 'any',
  parent_id: 'any',
  center: 'any',
  record: 'any',
  qa_id: 'question',
  question_id: 'question',
  comment_id: 'comment',
  knowledge_id: 'knowledge',
  kb_id: 'knowledge',
  kb_ids: 'knowledge',
  validation_id: 'validation',
  attachment_id: 'attachment',
  design_id: 'architecture_design',
  design_ids: 'architecture_design',
  architecture_design_ids: 'architecture_design',
  source_design_id: 'architecture_design',
}

/** Members of an object with free keys that name records, by name: `schema.register(namedWithin, {...})`. */
export const namedWithin = z.registry<Readonly<Record<string, NamedKind>>>()

/** Texts that are an id under a name that says nothing of it, by the kind of record: `schema.register(namedAs, {...})`. */
export const namedAs = z.registry<{ readonly kind: NamedKind }>()

/** Texts with ids between commas, by the kind of record that each names: `namedEach.add(schema, {...})`. */
export const namedEach = z.registry<{ readonly kind: NamedKind }>()

/** Where a value names records: it is an id itself, or its elements or members contain some. */
export type NamingField =
  | { readonly kind: NamedKind }
  | { readonly each: NamingField }
  | { readonly members: Readonly<Record<string, NamingField>> }

/** The locations of ids in the three parts of an input; a part without one is undefined. */
export interface InputNaming {
  readonly params: NamingField | undefined
  readonly query: NamingField | undefined
  readonly body: NamingField | undefined
}

const namings = new WeakMap<AnyOperation, InputNaming>()

/** Where the input of an operation names records; computed once per operation. */
export function namingOf(operation: AnyOperation): InputNaming {
  const naming = namings.get(operation) ?? {
    params: ofMembers(operation.params),
    query: ofMembers(operation.query),
    body: operation.body === undefined ? undefined : ofValue('', operation.body),
  }
  namings.set(operation, naming)
  return naming
}

function ofMembers(shape: Readonly<Record<string, z.ZodType>>): NamingField | undefined {
  const found = Object.entries(shape).flatMap(([name, schema]) => {
    const naming = ofValue(name, schema)
    return naming === undefined ? [] : [[name, naming] as const]
  })
  return found.length === 0 ? undefined : { members: Object.fromEntries(found) }
}

/** The naming of a value under a field's name. */
function ofValue(name: string, schema: z.ZodType): NamingField | undefined {
  const inner = bare(schema)
  const one = namedAs.get(inner)
  if (one !== undefined) return { kind: one.kind }
  const listed = namedEach.get(inner)
  if (listed !== undefined) return { each: { kind: listed.kind } }
  // A comma list is a string that is parsed into a list: each of its words names a record.
  if (inner instanceof z.ZodString || (inner instanceof z.ZodPipe && inner.in instanceof z.ZodString)) {
    const kind = kindByField[name]
    return kind === undefined ? undefined : { kind }
  }
  if (inner instanceof z.ZodArray) {
    const each = ofValue(name, inner.element as z.ZodType)
    return each === undefined ? undefined : { each }
  }
  if (inner instanceof z.ZodUnion)
    return inner.options.map(option => ofValue(name, option as z.ZodType)).find(naming => naming !== undefined)
  if (inner instanceof z.ZodObject) return ofMembers(inner.shape)
  const within = namedWithin.get(inner)
  return within === undefined
    ? undefined
    : { members: Object.fromEntries(Object.entries(within).map(([member, kind]) => [member, { kind }])) }
}

/** Calls `see` with each text at the location of an id, and the kind of record that it means. */
export function eachNamed(
  naming: NamingField | undefined,
  value: unknown,
  see: (kind: NamedKind, text: string) => void,
): void {
  if (naming === undefined || value === null || value === undefined) return
  if ('kind' in naming) {
    if (typeof value === 'string') see(naming.kind, value)
    else if (Array.isArray(value)) for (const element of value) eachNamed(naming, element, see)
  } else if ('each' in naming) {
    if (Array.isArray(value)) for (const element of value) eachNamed(naming.each, element, see)
  } else if (isObject(value)) {
    for (const name of Object.keys(naming.members)) eachNamed(naming.members[name], value[name], see)
  }
}

/** A value with each text at the location of an id replaced; parts without one are not copied. */
export function withNamed(
  naming: NamingField | undefined,
  value: unknown,
  idOf: (kind: NamedKind, text: string) => string,
): unknown {
  if (naming === undefined || value === null || value === undefined) return value
  if ('kind' in naming) {
    if (Array.isArray(value)) return value.map(element => withNamed(naming, element, idOf))
    return typeof value === 'string' ? idOf(naming.kind, value) : value
  }
  if ('each' in naming) return Array.isArray(value) ? value.map(each => withNamed(naming.each, each, idOf)) : value
  if (!isObject(value)) return value
  const named = Object.entries(naming.members).filter(([name]) => Object.hasOwn(value, name))
  return { ...value, ...Object.fromEntries(named.map(([name, inner]) => [name, withNamed(inner, value[name], idOf)])) }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
