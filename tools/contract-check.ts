/** Compares the registry with the tables of the contract: names, methods, paths, permissions, features. */
import { featureOf, registry } from '@specboard/contract'
import { differences } from './contract/differences.ts'
import { readTables } from './contract/tables.ts'

const tables = readTables()
const found = differences(registry, featureOf, tables)
const extensions = registry.filter(operation => operation.extension).length

for (const difference of found) console.error(difference)
console.log(
  `contract: ${registry.length - extensions} of ${tables.interface.length} operations of the interface, ${extensions} of ${tables.extensions.length} extensions, ${found.length} differences`,
)
process.exitCode = found.length > 0 ? 1 : 0
