/** Compares the registry with the table of the 209 operations: names, methods, paths, permissions, features. */
import { readFileSync } from 'node:fs'
import { featureOf, registry } from '@specboard/contract'

interface Line {
  readonly feature: string
  readonly name: string
  readonly method: string
  readonly path: string
  readonly permission: string
}

const table = readFileSync(new URL('../docs/contract/operations.tsv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((row): Line => {
    const [feature = '', name = '', method = '', path = '', permission = ''] = row.split('\t')
    return { feature, name, method, path, permission }
  })

const expected = new Map(table.map(line => [line.name, line]))
const built = new Map(registry.map(operation => [operation.name, operation]))

const faults = [
  ...registry
    .filter(operation => !expected.has(operation.name))
    .map(operation => `${operation.name} is not one of the ${table.length} operations`),
  ...table.flatMap(line => {
    const operation = built.get(line.name)
    if (operation === undefined) return []
    const found: Line = {
      ...line,
      feature: featureOf(operation),
      method: operation.method,
      path: operation.path,
      permission: operation.permission,
    }
    return (['feature', 'method', 'path', 'permission'] as const)
      .filter(field => found[field] !== line[field])
      .map(field => `${line.name}: ${field} is ${found[field]}, the contract says ${line[field]}`)
  }),
]
const missing = table.filter(line => !built.has(line.name))
const started = new Set(registry.map(featureOf) as readonly string[])
const gaps = missing.filter(line => started.has(line.feature))

for (const fault of [...faults, ...gaps.map(line => `${line.feature} lacks ${line.name}`)]) console.error(fault)
console.log(
  `contract: ${built.size} of ${table.length} operations, ${faults.length} differences, ${gaps.length} gaps in started features`,
)
process.exitCode = faults.length + gaps.length > 0 ? 1 : 0
