/** Schemas that several features share, each defined once (general, Shared shapes). */
import { z } from 'zod'
import { exampleIds } from './example-ids.ts'
import { inForm, matching } from './forms.ts'
import { withinFreeJson } from './free-json.ts'
import { list } from './limits.ts'
import { isPermission, type Permission } from './permissions.ts'
import { type NamedKind, namedEach } from './references.ts'
import { sentItem } from './sent-items.ts'

/** An id in a path or body: any string; an id that names nothing visible is 404. */
export const Id = z.string().meta({ examples: [exampleIds.any] })

/** What a principal is: a human being, a model at work, a pipeline, or another program (people 1.1). */
export const PrincipalKind = z.enum(['person', 'agent', 'ci', 'service'])

/** How an actor authenticated (people 1.1). */
export const ActorVia = z.enum(['session', 'key', 'connection', 'ci', 'run', 'service'])

/**
 * Who acted, besides its id and name: its kind at that time, and how it authenticated; null before that was recorded
 * (people 1.1).
 */
export const actor = { actor_type: PrincipalKind, actor_via: ActorVia.nullable() }

/** Marks imported records (walls 5); absent for everything else. */
export const Imported = z.literal(true).exactOptional().describe('came with an import')

/** The key of a board, which references to its records begin with (work 1). */
export const BoardKey = z
  .string()
  .min(2)
  .max(10)
  .regex(...matching('board_key', /^[A-Z][A-Z0-9]+$/))
  .meta({ examples: ['WS'] })

/** The reference of a record: the key of its board and its number there (work 1). */
export const Ref = z.string().meta({ examples: ['WS-14'] })

/** The reference of a part of a record: that of the record, a letter, and its number there (crew 8.2). */
export const PartRef = z.string().meta({ examples: ['WS-14.q2'] })

/** ISO 8601 UTC with milliseconds and `Z`. */
export const Timestamp = z.iso.datetime({ precision: 3 }).meta({ examples: ['2026-03-02T09:14:27.318Z'] })

const namedWithin = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .refine(text => text === '' || text.trim() !== '', inForm('not_blank'))

/** How often a record's own fields have changed, including its creation (crew 2.1). */
export const Rev = z
  .int()
  .min(1)
  .meta({ examples: [3] })

/** The `rev` of the record that a write is based on: if it differs, the write is refused (crew 2.2). */
export const ExpectedRev = z.int().exactOptional()

/** Whether a move passes all statuses on the shortest path, each with its permission and gates (crew 4.7). */
export const Through = z.boolean().exactOptional().describe('all steps there')

/** A title in one line: line breaks become a space when it is written (crew 9.14). */
export const inOneLine = (title: string): string => title.replace(/[\r\n\u2028\u2029]+/g, ' ')

/** A title: 1..500 characters, not only white space; it is one line. */
export const Title = namedWithin(500)
  .overwrite(inOneLine)
  .meta({ examples: ['Keep the basket after signing in'] })

/** The title of a part of a record, which is one line. */
export const PartTitle = z.string().overwrite(inOneLine)

/** A name of a board or agent: 1..255 characters, not only white space. */
export const Name = namedWithin(255).meta({ examples: ['Web shop'] })

/** A text or null; null clears. */
export const Text = z.string().nullable()

/** Each text once, at its first position. */
export const withoutRepeats = (texts: string[]): string[] => [...new Set(texts)]

/** Labels: an array of strings, or null; duplicates are stored once. */
export const Labels = list(z.string())
  .overwrite(withoutRepeats)
  .nullable()
  .meta({ examples: [['basket', 'sign-in']] })

/** An assignee: a free string, not checked. */
export const Assignee = z
  .string()
  .max(255)
  .nullable()
  .meta({ examples: [exampleIds.executor] })

/** An object with any keys. */
export const FreeObject = z.record(z.string(), z.unknown()).check(withinFreeJson)

/** An array with any elements. */
export const FreeArray = z.array(z.unknown()).check(withinFreeJson)

/** Permission names, each with whether it is held; an unknown name is 400 (access 2.1). */
export const PermissionFlags = z.record(z.string(), z.boolean()).meta({ examples: [{ CARDS_DELETE: false }] })

/** The name of a permission (access 2.5). */
export const PermissionName = z
  .string()
  .meta({ examples: ['CARDS_MOVE_DONE'] })
  .transform((name, ctx): Permission => {
    if (isPermission(name)) return name
    ctx.addIssue({ code: 'custom', message: 'must be the name of a permission' })
    return z.NEVER
  })

/** The schemas of comma-separated words: such a parameter may also be repeated. */
const commaLists = new WeakSet<z.core.$ZodType>()

const commaList = <Schema extends z.ZodType>(schema: Schema): Schema => {
  commaLists.add(schema)
  return schema
}

/** Whether a schema, without its optional wrappers, parses comma-separated words; a check makes a copy of its parent. */
export const isCommaList = (schema: z.core.$ZodType): boolean =>
  commaLists.has(schema) || (schema._zod.parent !== undefined && isCommaList(schema._zod.parent))

/** Comma-separated words, without spaces around them; empty ones are ignored. */
export const CommaList = commaList(z.string().transform(wordsOf))

/** Comma-separated ids of records of a kind; references are accepted too (work 1). */
export const commaListOfIds = (kind: NamedKind) =>
  commaList(z.string().transform(wordsOf).register(namedEach, { kind }))

/** Comma-separated words of an enumeration. */
export const commaListOf = <const Word extends string>(words: readonly Word[]) =>
  commaList(
    z.string().transform((text, ctx): Word[] =>
      wordsOf(text).map(word => {
        const match = words.find(candidate => candidate === word)
        if (match !== undefined) return match
        ctx.addIssue({ code: 'invalid_value', values: [...words], input: text })
        return z.NEVER
      }),
    ),
  )

/** A count for every word of an enumeration. */
export const countsBy = <const Word extends string>({ options }: { readonly options: readonly Word[] }) =>
  z.object(Object.fromEntries(options.map(word => [word, z.int().min(0)])) as Record<Word, z.ZodInt>)

function wordsOf(text: string): string[] {
  return text
    .split(',')
    .map(word => word.trim())
    .filter(word => word !== '')
}

/** Paging of every list; without it the whole list is returned. */
export const paging = {
  limit: z.int().min(1).max(200).optional().describe('1-200'),
  offset: z.int().min(0).optional(),
}

/** Paging of lists that return 50 entries by default: histories, activity and the like. */
export const paging50 = {
  limit: z.int().min(1).max(200).default(50).describe('1-200'),
  offset: z.int().min(0).default(0),
}

/** Whether to list archived records too. */
export const includeArchived = { include_archived: z.boolean().default(false) }

/** A remark on a mockup. */
export const MockupAnnotation = z
  .object({
    id: z.string(),
    text: z.string(),
    author_id: z.string().nullable().default(null),
  })
  .meta({ id: 'MockupAnnotation' })

/** A screen of the product, as HTML (ideation 1.4). */
export const ScreenMockup = z
  .object({
    id: z.string(),
    title: PartTitle,
    description: z.string().nullable().default(null),
    screen_type: z.string().default('page'),
    html_content: z.string().default(''),
    annotations: list(MockupAnnotation).nullable().default(null),
    order: z.int().default(0),
    origin_id: z.string().nullable().default(null),
  })
  .meta({ id: 'ScreenMockup' })

/** A mockup in updates. */
export const SentMockup = sentItem(ScreenMockup, 'ScreenMockupChange')

/** An architecture design in lists and in its parent record (insight A.2). */
export const ArchitectureDesignSummary = z
  .object({
    id: Id,
    ref: PartRef,
    board_id: Id,
    parent_type: z.enum(['ideation', 'refinement', 'spec', 'card']),
    parent_id: Id,
    title: z.string(),
    version: z.int(),
    source_ref: z.string().nullable(),
    source_version: z.int().nullable(),
    stale: z.boolean(),
    breaking_change_flag: z.boolean(),
    requires_arch_review: z.boolean(),
    diagrams_count: z.int(),
    adapter_payload_refs: z.array(z.string()),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'ArchitectureDesignSummary' })

/** One field of a change, with its old and new value. */
export const Change = z
  .looseObject({ field: z.string(), old: z.unknown().optional(), new: z.unknown().optional() })
  .meta({ id: 'Change' })

/** An entry of a record's history (ideation 1.8), with the id of its own record. */
export const historyEntry = <const Owner extends string>(owner: Owner, id: string) =>
  z
    .object({
      id: Id,
      [owner]: Id,
      action: z.string(),
      ...actor,
      actor_id: z.string(),
      actor_name: z.string(),
      changes: z.array(Change).nullable(),
      summary: z.string().nullable(),
      version: z.int().nullable(),
      created_at: Timestamp,
      imported: Imported,
    } as unknown as { [K in Owner]: typeof Id } & {
      id: typeof Id
      action: z.ZodString
      actor_type: typeof PrincipalKind
      actor_via: z.ZodNullable<typeof ActorVia>
      actor_id: z.ZodString
      actor_name: z.ZodString
      changes: z.ZodNullable<z.ZodArray<typeof Change>>
      summary: z.ZodNullable<z.ZodString>
      version: z.ZodNullable<z.ZodInt>
      created_at: typeof Timestamp
      imported: typeof Imported
    })
    .meta({ id })

/** The `success` member of `{success: true}`, the response of an action without a record. */
export const Success = z.literal(true)

const timestampPattern = /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/
const day = z.iso.date()

function inUtc(text: string): string | undefined {
  const [, date, zone] = timestampPattern.exec(text) ?? []
  if (!day.safeParse(date).success) return undefined
  const time = new Date(text === date || zone !== undefined ? text : `${text}Z`)
  const years = time.getUTCFullYear()
  return years >= 0 && years <= 9999 ? time.toISOString() : undefined
}

const momentWith = (timeOfDate: '00:00:00.000' | '23:59:59.999') =>
  z.string().transform((text, ctx) => {
    const moment = inUtc(day.safeParse(text).success ? `${text}T${timeOfDate}Z` : text)
    if (moment !== undefined) return moment
    const { error: message, params } = inForm('datetime')
    ctx.addIssue({ code: 'custom', message, params, input: text })
    return z.NEVER
  })

/** A date or date-time in requests, in UTC by default; a date means its first moment. Parses to a `Timestamp`. */
export const Moment = momentWith('00:00:00.000').meta({ examples: ['2026-03-20'] })

/** Like `Moment`, but a date means its last moment, as the end of a range. */
export const LastMoment = momentWith('23:59:59.999').meta({ examples: ['2026-03-20'] })

/** The shape with every field optional; an absent field stays absent. */
export const sent = <Shape extends Readonly<Record<string, z.ZodType>>>(shape: Shape) =>
  Object.fromEntries(Object.entries(shape).map(([name, schema]) => [name, schema.exactOptional()])) as {
    [Name in keyof Shape]: z.ZodExactOptional<Shape[Name]>
  }
