/** The tables and indexes of a new database that are the same on both engines. */
import { accessTables } from './access.ts'
import { deliveryTables } from './delivery.ts'
import { evidenceTables } from './evidence.ts'
import { exchangeTables } from './exchange.ts'
import { gitTables } from './git.ts'
import { graphTables } from './graph.ts'
import { peopleTables } from './people.ts'
import { planningTables } from './planning.ts'
import { searchTables } from './search.ts'
import { serviceTables } from './service.ts'

/** The statements, in an order in which no table references a later one. */
export const tables: readonly string[] = [
  ...accessTables,
  ...serviceTables,
  ...planningTables,
  ...deliveryTables,
  ...searchTables,
  ...exchangeTables,
  ...gitTables,
  ...evidenceTables,
  ...peopleTables,
  ...graphTables,
  `insert into counters (name, value) values ('events', 0)`,
]
