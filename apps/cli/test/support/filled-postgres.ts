import { onServer } from '@specboard/storage/testing'

/** A table, and how the copies of its rows differ. */
interface Table {
  readonly name: string
  readonly columns: readonly Column[]
}

interface Column {
  readonly name: string
  readonly type: string
  readonly isGenerated: boolean
  /** Whether it is the last column of a unique index, after the board. */
  readonly isUnique: boolean
}

const tables = `select t.relname::text as name, json_agg(json_build_object(
    'name', a.attname, 'type', format_type(a.atttypid, null), 'isGenerated', a.attidentity <> '',
    'isUnique', exists (select from pg_index i where i.indrelid = t.oid and i.indisunique and a.attnum = (
      select number from unnest(i.indkey::int2[]) with ordinality k (number, place) join pg_attribute c
        on c.attrelid = t.oid and c.attnum = number order by c.attname = 'board_id', place desc limit 1))
    ) order by a.attnum) as columns
  from pg_class t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
  where t.relkind = 'r' and t.relnamespace = current_schema()::regnamespace group by t.relname order by t.relname`

/** The number of boards that further rows are on, and of records that they are about. */
const boards = 1_000
const records = 5_000

/** Tables in which few rows are about the same record: nobody owns thousands of boards or agents. */
const ofOthers: ReadonlySet<string> = new Set(['agents', 'boards'])

/** Tables with a column in which few rows name the same record, also on one board: no spec has thousands of sprints. */
const spread: Readonly<Record<string, string>> = { sprints: 'spec_id' }

export interface Filling {
  /** The board that half of the rows are on. */
  readonly boardId: string
  readonly rows: number
  /** Tables that are left unchanged. */
  readonly except: ReadonlySet<string>
}

/**
 * Fills every table of a PostgreSQL database that has a row up to a number of rows, with copies of one of them: half of
 * them about the same records, the others on many boards and about many records, some of which do not exist. So the
 * server expects few rows for each board or record, as in a database that has grown, and a statement that reads a whole
 * board is noticeable.
 */
export async function fillPostgres(url: string, filling: Filling): Promise<void> {
  const found = await onServer<Table>(url, tables)
  const filled = found.filter(({ name }) => !filling.except.has(name))
  // No trigger runs, and no reference is looked up.
  const copies = ['set session_replication_role = replica', ...filled.map(table => copiesOf(table, filling))]
  await onServer(url, copies.join(';\n'))
}

function copiesOf({ name, columns }: Table, { boardId, rows }: Filling): string {
  const copied = columns.filter(({ isGenerated }) => !isGenerated)
  const board = name === 'boards' ? 'id' : copied.find(column => column.name === 'board_id')?.name
  const order = board === undefined ? '1' : `${board} = '${boardId}' desc, 1`
  return `insert into ${name} (${copied.map(column => column.name).join(', ')})
    select ${copied.map(column => copiedValue(column, name)).join(', ')}
    from (select * from ${name} order by ${order} limit 1) source,
      generate_series(1, ${rows} - (select count(*) from ${name})) n`
}

/**
 * The value of a copy in a column. Numbers that distinguish rows count down from the minimum, because those of later
 * rows count up.
 */
function copiedValue({ name, type, isUnique }: Column, table: string): string {
  if (isUnique) return type === 'text' ? otherName(name, 'n') : `(select min(${name}) from ${table}) - n`
  if (type !== 'text' || !/(?:_id|^created_by)$/.test(name)) return `source.${name}`
  const other = otherName(name, `n % ${name === 'board_id' ? boards : records} + 1`)
  if (ofOthers.has(table) || spread[table] === name) return other
  return `case when n % 2 = 1 then source.${name} else ${other} end`
}

/** Unordered, as ids are; a copy and what refers to it get the same value. */
const otherName = (column: string, number: string): string => `md5(source.${column} || (${number}))`
