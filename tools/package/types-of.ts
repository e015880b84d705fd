/** Prints JSON Schema, as used by OpenAPI, as TypeScript types. */

/** A schema of the document, with the keywords that it uses. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly items?: JsonSchema
  readonly prefixItems?: readonly JsonSchema[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | JsonSchema
  readonly propertyNames?: JsonSchema
  /** A type that JSON does not have. */
  readonly tsType?: string
}

/** The name of the component that a schema refers to. */
export const nameIn = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1)

const scalars: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
}

const union = (types: readonly string[]): string => [...new Set(types)].join(' | ')

/**
 * The type of the values that fit a schema.
 * @param depth how far the text is indented
 */
export function typeOf(schema: JsonSchema, depth = 0): string {
  const { $ref, type, tsType } = schema
  if (tsType !== undefined) return tsType
  if ($ref !== undefined) return nameIn($ref)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return union(schema.enum.map(value => JSON.stringify(value)))
  const options = schema.anyOf ?? schema.oneOf
  if (options !== undefined) return union(options.map(option => typeOf(option, depth)))
  if (typeof type === 'object') return union(type.map(one => typeOf({ ...schema, type: one }, depth)))
  if (type === 'array') return arrayOf(schema, depth)
  if (type === 'object') return objectOf(schema, depth)
  return type === undefined ? 'unknown' : scalars[type]!
}

function arrayOf({ items = {}, prefixItems }: JsonSchema, depth: number): string {
  if (prefixItems !== undefined) return `[${prefixItems.map(item => typeOf(item, depth)).join(', ')}]`
  const item = typeOf(items, depth)
  return isUnion(items) ? `(${item})[]` : `${item}[]`
}

const isUnion = (schema: JsonSchema): boolean =>
  (schema.anyOf ?? schema.oneOf ?? schema.enum ?? []).length > 1 || typeof schema.type === 'object'

function objectOf({ properties, required = [], additionalProperties, propertyNames }: JsonSchema, depth: number) {
  const rest = additionalProperties === true ? {} : additionalProperties
  if (properties === undefined) {
    const key = propertyNames === undefined ? 'string' : typeOf(propertyNames, depth)
    const record = `Record<${key}, ${rest ? typeOf(rest, depth) : 'unknown'}>`
    return key === 'string' || required.length > 0 ? record : `Partial<${record}>`
  }
  const indent = '  '.repeat(depth + 1)
  const members = Object.entries(properties).map(([name, schema]) => {
    const comment = schema.description === undefined ? '' : `${indent}/** ${schema.description} */\n`
    return `${comment}${indent}${/^\w+$/.test(name) ? name : JSON.stringify(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema, depth + 1)}`
  })
  const others = rest ? [`${indent}[name: string]: unknown`] : []
  return `{\n${[...members, ...others].join('\n')}\n${'  '.repeat(depth)}}`
}

/** The names of the components that schemas refer to, directly or indirectly, sorted. */
export function reachedFrom(
  schemas: readonly JsonSchema[],
  components: Readonly<Record<string, JsonSchema>>,
): string[] {
  const reached = new Set<string>()
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const { $ref } = value as JsonSchema
    if (typeof $ref === 'string' && !reached.has(nameIn($ref))) {
      reached.add(nameIn($ref))
      visit(components[nameIn($ref)])
    }
    Object.values(value).forEach(visit)
  }
  visit(schemas)
  return [...reached].toSorted()
}
