/** The parts of records by their references, such as `SHO-14.q2` and `SHO-12/t1` (crew 8.2, 10). */
import { Failure } from '../frame/failure.ts'
import { callTool, type ToolTarget, type ToolValue } from '../frame/tool.ts'

/** A part named by a reference. */
export interface NamedPart {
  readonly record: string
  readonly ref: string
  /** The letter of its kind; undefined for an item of a spec. */
  readonly letter?: string
  /** The id of an item of a spec. */
  readonly item?: string
}

const partForm = /^([A-Za-z][A-Za-z0-9]*-\d+)(?:\.([A-Za-z])\d+|\/(.+))$/

/** The part that a text refers to; undefined if it is not a reference to a part. */
export function partNamed(text: string): NamedPart | undefined {
  const [, record, letter, item] = partForm.exec(text) ?? []
  if (record === undefined) return undefined
  return { record, ref: text, ...(letter && { letter: letter.toLowerCase() }), ...(item && { item }) }
}

/** The members of records that contain parts, by letter. */
const members: Readonly<Record<string, string>> = {
  q: 'qa_items',
  c: 'comments',
  a: 'attachments',
  e: 'evaluations',
  v: 'validations',
}

/** The operations that read one part, by letter and kind of record, with the argument for it. */
const readers: Readonly<Record<string, readonly [name: string, argument: string]>> = {
  'k card': ['get_card_knowledge', 'kb_id'],
  'k spec': ['get_spec_knowledge', 'knowledge_id'],
  'k refinement': ['get_refinement_knowledge', 'knowledge_id'],
  'v card': ['get_task_validation', 'validation_id'],
}

/** A part, in a tool's answer. */
export async function readPart(target: ToolTarget, part: NamedPart, kind: string): Promise<ToolValue> {
  const { record, ref, letter = '', item } = part
  const owner = { [`${kind}_id`]: record }
  if (item !== undefined) {
    const found = kind === 'spec' ? await listed(target, 'list_spec_items', { spec_id: record, id: item }, 'items') : []
    return found[0] ?? missing(part)
  }
  if (letter === 'd') return callTool(target, 'get_architecture', { design_id: ref })
  const reader = readers[`${letter} ${kind}`]
  if (reader !== undefined) return callTool(target, reader[0], { ...owner, [reader[1]]: ref })
  const member = members[letter]
  if (member === undefined) return missing(part)
  const parts =
    letter === 'v' && kind === 'spec'
      ? await listed(target, 'list_spec_validations', owner, member)
      : await listed(target, `get_${kind}`, { ...owner, fields: member }, member)
  return (
    parts.find(({ id, ref: own }) => [id, own].some(name => String(name).toLowerCase() === ref.toLowerCase())) ??
    missing(part)
  )
}

/** The list under a name in an answer; empty if there is no such member. */
async function listed(
  target: ToolTarget,
  name: string,
  args: Readonly<Record<string, unknown>>,
  member: string,
): Promise<readonly ToolValue[]> {
  const found = (await callTool(target, name, args))[member]
  return Array.isArray(found) ? (found as readonly ToolValue[]) : []
}

function missing({ ref, record }: NamedPart): never {
  throw new Failure('NOT_FOUND', `${record} has no ${ref}. "specboard show ${record}" prints what it has.`)
}

/** A part for people: a line for each of its members. */
export const linesOf = (value: ToolValue): string =>
  Object.entries(value)
    .filter(([, member]) => member !== null)
    .map(([name, member]) => `${name}: ${typeof member === 'string' ? member : JSON.stringify(member)}`)
    .join('\n')
