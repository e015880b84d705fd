import type { AnyOperation } from '@specboard/contract'

/** The parts of an operation that contain schemas or are functions; all others are data. */
const parts = ['params', 'query', 'body', 'response', 'list', 'asks'] as const

/** An operation as data, and the names of its other parts. */
export interface OperationData {
  readonly data: Readonly<Record<string, unknown>>
  readonly has: readonly string[]
}

/** The data of an operation. */
export function described(operation: AnyOperation): OperationData {
  const data = Object.entries(operation).filter(([name]) => !parts.some(part => part === name))
  return { data: Object.fromEntries(data), has: parts.filter(part => operation[part] !== undefined) }
}

/**
 * The operations of a feature, whose other parts are loaded when one of them is first used.
 * @param read gives the operations as the contract declares them
 */
export const lazily = (
  feature: Readonly<Record<string, OperationData>>,
  read: () => Readonly<Record<string, AnyOperation>>,
): Readonly<Record<string, object>> =>
  Object.fromEntries(
    Object.entries(feature).map(([name, { data, has }]) => {
      const operation = { ...data }
      for (const part of parts) definePart(operation, part, has.includes(part) ? () => read()[name]![part] : undefined)
      return [name, operation]
    }),
  )

/** Defines a part that is read once; without `read` the operation has no such part. */
function definePart(operation: object, part: string, read: (() => unknown) | undefined): void {
  const define = (property: PropertyDescriptor) =>
    Object.defineProperty(operation, part, { enumerable: true, configurable: true, ...property })
  if (read === undefined) define({ value: undefined })
  else
    define({
      get: () => {
        const value = read()
        define({ value })
        return value
      },
    })
}
