import { hash } from 'node:crypto'
import { type AnyOperation, isReading, readOf, registry } from '@specboard/contract'
import { z } from 'zod'

type Members = Readonly<Record<string, unknown>>

/**
 * Prefixes that turn the name of a record's field into that of a member of a request body: `add_labels` for `labels`,
 * `target_status` for `status`.
 */
const otherName = /^(add|remove|target)_/

const carriesVersion = (operation: AnyOperation) =>
  operation.response instanceof z.ZodObject &&
  ('version' in operation.response.shape || 'updated_at' in operation.response.shape)

const representations = new WeakMap<AnyOperation, AnyOperation | null>()

/**
 * The GET operation of the record that an operation addresses, if its answer carries a version. `If-Match` names the
 * tag of that answer.
 */
export function representationOf(operation: AnyOperation): AnyOperation | null {
  const cached = representations.get(operation)
  if (cached !== undefined) return cached
  // The longest path that carries a version. Schemas are checked last: those of a feature are made on first use.
  const found =
    registry
      .filter(get => get.method === 'GET' && (operation.path === get.path || operation.path.startsWith(`${get.path}/`)))
      .toSorted((a, b) => b.path.length - a.path.length)
      .find(carriesVersion) ?? null
  representations.set(operation, found)
  return found
}

/**
 * Whether an operation answers with the record's representation and so carries its tag: an update may add to it, such as
 * warnings.
 */
export const answersRepresentation = (operation: AnyOperation): boolean => {
  const representation = representationOf(operation)
  if (representation === null || operation.status !== 200) return false
  if (representation.response === operation.response) return true
  if (readOf(operation) !== representation) return false
  const names = new Set(fieldsOf(operation.response))
  return fieldsOf(representation.response).every(name => names.has(name))
}

/** Whether an operation checks `If-Match`: it writes, and its record has a tag. */
export const checksIfMatch = (operation: AnyOperation): boolean =>
  !isReading(operation) && representationOf(operation) !== null

/** Whether an operation accepts the `rev` that its caller expects (crew 2.2). */
export const takesRev = ({ body }: AnyOperation): boolean => fieldsOf(body).includes('expected_rev')

/** Edited entry by entry, each with a tag of its own. */
const inlineKnowledge = 'knowledge_bases'

const ownFields = new WeakMap<AnyOperation, readonly string[]>()

/**
 * The record's own fields (board 6): what its update operation can change, and its status. The inline knowledge of a
 * card is excluded. Without an update operation, all fields.
 */
export function ownFieldsOf(representation: AnyOperation): readonly string[] {
  const cached = ownFields.get(representation)
  if (cached !== undefined) return cached
  const names = fieldsOf(representation.response)
  const update = updateOf(representation) ?? updateOf(extendedBy(representation))
  const changed = update === undefined ? names : [...fieldsOf(update.body), 'status']
  const fields = names.filter(name => changed.includes(name) && name !== inlineKnowledge)
  ownFields.set(representation, fields)
  return fields
}

const updateOf = (get: AnyOperation | undefined): AnyOperation | undefined =>
  get === undefined ? undefined : registry.find(operation => readOf(operation) === get)

/** The GET of the record that an answer extends, such as the board of its overview: their tags agree. */
function extendedBy(get: AnyOperation): AnyOperation | undefined {
  const names = new Set(fieldsOf(get.response))
  return registry.find(
    candidate =>
      candidate.method === 'GET' &&
      get.path.startsWith(`${candidate.path}/`) &&
      carriesVersion(candidate) &&
      ownNamesOf(candidate).every(name => names.has(name)),
  )
}

/** The fields of the answer that the record's update operation can change, and its status. */
const ownNamesOf = (get: AnyOperation): readonly string[] => {
  const changed = [...fieldsOf(updateOf(get)?.body), 'status']
  return fieldsOf(get.response).filter(name => changed.includes(name))
}

const fieldsOf = (schema: z.ZodType | undefined): string[] =>
  schema instanceof z.ZodObject ? Object.keys(schema.shape) : []

/** The record's own fields that a call would change. */
export function fieldsToChange(operation: AnyOperation, body: unknown): readonly string[] {
  const representation = representationOf(operation)!
  const changes = answersRepresentation(operation) || takesRev(operation)
  if (!changes || typeof body !== 'object' || body === null) return []
  const names = new Set(Object.keys(body).map(name => name.replace(otherName, '')))
  return ownFieldsOf(representation).filter(name => names.has(name))
}

/**
 * The entity tag of an answer: `"<own>-<whole>"` (board 6). The first part is the record's `rev` in decimal, or for a
 * record without one a digest of its own fields. The second is a digest of the JSON text, followed by a mark for each
 * own field, by which a refusal names those that differ.
 */
export const etagOf = (operation: AnyOperation, body: unknown, json: string | Uint8Array): string => {
  const members = body as Members
  const { digest, marks } = digestOf(representationOf(operation)!, members)
  return `"${typeof members.rev === 'number' ? members.rev : digest}-${hash('sha1', json)}${marks}"`
}

/** Whether a tag was read while the record's own fields were the same as in the current one. */
export const sameOwn = (tag: string, current: string): boolean => ownOf(tag) === ownOf(current)

/** The `rev` in a tag; undefined if its first part is not a `rev`. */
export function revOfTag(tag: string): number | undefined {
  const own = ownOf(tag)
  return /^[1-9]\d{0,14}$/.test(own) ? Number(own) : undefined
}

/**
 * The own fields that differ between two tags of a record; undefined when the first is not a complete tag of such a
 * record.
 */
export function differingFields(
  representation: AnyOperation,
  tag: string,
  current: string,
): readonly string[] | undefined {
  const [was, is] = [marksOf(tag), marksOf(current)]
  if (was.length !== is.length) return undefined
  const markAt = (marks: string, index: number) => marks.substr(index * markLength, markLength)
  return ownFieldsOf(representation).filter((_, index) => markAt(was, index) !== markAt(is, index))
}

const partsOf = (tag: string): string[] => tag.replaceAll('"', '').split('-', 2)
const ownOf = (tag: string): string => partsOf(tag)[0]!
const marksOf = (tag: string): string => (partsOf(tag)[1] ?? '').slice(wholeLength)

/** In hexadecimal digits: 64 bits decide whether the record changed; 16 for each field suffice to say where. */
const digestLength = 16
const wholeLength = 40
const markLength = 4

function digestOf(representation: AnyOperation, body: Members): { readonly digest: string; readonly marks: string } {
  let texts = ''
  let marks = ''
  for (const name of ownFieldsOf(representation)) {
    const text = textOf(name, body[name])
    texts += `${text}\n`
    marks += text === '' ? noMark : markOf(text)
  }
  return { digest: hash('sha1', texts).slice(0, digestLength), marks }
}

const noMark = '0'.repeat(markLength)

function textOf(name: string, value: unknown): string {
  if (value === null || value === undefined) return ''
  return name === 'diagrams' ? JSON.stringify(value, withoutContent) : JSON.stringify(value)
}

/** Leaves out the content of a diagram, which an answer includes only on request; its hash is always present. */
const withoutContent = (name: string, value: unknown): unknown => (name === 'adapter_payload' ? null : value)

/** Longer texts are marked by the engine's built-in digest: a loop over their characters would be slower. */
const longText = 500

/** FNV-1a, folded to 16 bits. */
function markOf(text: string): string {
  if (text.length > longText) return hash('sha1', text).slice(0, markLength)
  let mark = 0x811c9dc5
  for (let index = 0; index < text.length; index++) mark = Math.imul(mark ^ text.charCodeAt(index), 0x01000193)
  return ((((mark >>> 16) ^ mark) & 0xffff) | 0x10000).toString(16).slice(1)
}
