/** Items as updates send them: what is left out keeps its value (crew 1.2). */
import { z } from 'zod'

/** How an update means a list: it replaces the stored one, or changes and adds the elements that it names (crew 1.3). */
export const Lists = z.enum(['merge', 'replace'])

/** The members with which a body says how its lists are meant. */
export const listMembers = {
  lists: Lists.exactOptional(),
  /** Items in use go too (crew 1.4). */
  allow_removal: z.boolean().exactOptional(),
}

/** An item with its id and some of its members. */
export type SentItem<Schema extends z.ZodObject> = Partial<z.output<Schema>>

/** A schema of items as an update sends them. */
export type SentItems<Schema extends z.ZodObject> = z.ZodType<SentItem<Schema>, Partial<z.input<Schema>>>

/**
 * The schema of an item without its defaults, of which every member but the id may be left out.
 * @param withoutId whether the id may be left out too
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

/** A member that, left out, stays absent. */
const withoutDefault = (field: z.ZodType): z.ZodType =>
  field instanceof z.ZodDefault || field instanceof z.ZodExactOptional ? (field.unwrap() as z.ZodType) : field
