type Arguments = Readonly<Record<string, unknown>>

/** An item of a spec by its reference and id, such as `SHO-12/t1` (crew 8.2). */
const form = /^([A-Za-z][A-Za-z0-9]{1,9}-[1-9][0-9]{0,14})\/(.+)$/

/** The arguments that reference items of a spec. */
const members = ['scenario_id', 'item_id', 'covers', 'test_scenario_ids'] as const

/**
 * Arguments in which items are given by id only, as operations expect; their spec is added as `spec_id` if the call
 * names none.
 */
export function withItems(args: Arguments, takes: (name: string) => boolean): Arguments {
  if (!takes('spec_id')) return args
  let spec: string | undefined
  const idOf = (value: unknown): unknown => {
    const [, record, id] = (typeof value === 'string' && form.exec(value.trim())) || []
    spec ??= record
    return id ?? value
  }
  const named = members
    .filter(name => Object.hasOwn(args, name) && takes(name))
    .map(name => [name, Array.isArray(args[name]) ? args[name].map(idOf) : idOf(args[name])] as const)
  if (spec === undefined) return args
  return { ...args, ...Object.fromEntries(named), spec_id: args.spec_id ?? spec }
}
