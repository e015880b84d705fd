import type { AnyOperation } from '@specboard/contract'

/** A row of a table of operations: what the contract specifies for one operation. */
export interface Line {
  readonly feature: string
  readonly name: string
  readonly method: string
  readonly path: string
  readonly permission: string
}

/** The tables of the contract: the closed interface, and the extensions. */
export interface Tables {
  readonly interface: readonly Line[]
  readonly extensions: readonly Line[]
}

const fixed = ['feature', 'method', 'path', 'permission'] as const

/** The differences between operations and tables, one line each; empty if they agree. */
export function differences(
  operations: readonly AnyOperation[],
  featureOf: (operation: AnyOperation) => string,
  tables: Tables,
): string[] {
  const built = new Map(operations.map(operation => [operation.name, operation]))
  const named = new Set([...tables.interface, ...tables.extensions].map(line => line.name))
  return [
    ...tables.interface.flatMap(line => lineDifferences(line, false)),
    ...tables.extensions.flatMap(line => lineDifferences(line, true)),
    ...operations
      .filter(({ name }) => !named.has(name))
      .map(({ name }) => `${name} is in neither table; add an operation of your own to extensions.tsv`),
  ]

  function lineDifferences(line: Line, extension: boolean): string[] {
    const operation = built.get(line.name)
    if (operation === undefined) return [`${line.name} is not built`]
    const { method, path, permission } = operation
    const found: Line = { name: line.name, feature: featureOf(operation), method, path, permission }
    return [
      ...(operation.extension === extension ? [] : [`${line.name}: extension is ${operation.extension}`]),
      ...fixed
        .filter(field => found[field] !== line[field])
        .map(field => `${line.name}: ${field} is ${found[field]}, the contract says ${line[field]}`),
    ]
  }
}
