/** Items in updates: an absent member keeps its value (crew 1.2). */
import { z } from 'zod'

/**
 * How an update treats a list: it replaces the stored one, or changes and adds the elements that it names (crew 1.3).
 */
export const Lists = z.enum(['merge', 'replace'])

/** The members of a body that control how its lists are treated. */
export const listMembers = {
  lists: Lists.exactOptional(),
  /** Items in use are removed too (crew 1.4). */
  allow_removal: z.boolean().exactOptional(),
}

/** An item with its id and some of its members. */
export type SentItem<Schema extends z.ZodObject> = Partial<z.output<Schema>>

/** A schema of items in updates. */
export type SentItems<Schema extends z.ZodObject> = z.ZodType<SentItem<Schema>, Partial<z.input<Schema>>>

/**
 * The schema of an item without its defaults, in which every member except the id is optional.
 * @param withoutId whether the id is optional too
 */
export function sentItem<Schema extends z.ZodObject>(
  schema: Schema,
  name: string,
  { withoutId = false }: { readonly withoutId?: boolean } = {},
): SentItems<Schema> {
  const shape = Object.fromEntries(
    Object.entries(schema.shape as Record<string, z.ZodType>).map(([member, field]) => [
      member,
      member === 'id' && !withoutId ? field : withoutDefault(field).exactOptional(),
    ]),
  )
  return schema.clone({ ...schema.def, shape }).meta({ id: name }) as unknown as SentItems<Schema>
}

/** A member that stays absent if it is not sent. */
const withoutDefault = (field: z.ZodType): z.ZodType =>
  field instanceof z.ZodDefault || field instanceof z.ZodExactOptional ? (field.unwrap() as z.ZodType) : field
