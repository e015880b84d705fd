/** The counts of lists: how many records of a board there are in each status, by segment of the list. */
import type { Table } from './table.ts'
import { tables } from './tables/all.ts'
import type { Trigger } from './triggers.ts'

/** A table whose rows are counted. */
export type CountedTable = NonNullable<Table['counted']> & { readonly table: string }

/** Every counted table. */
export const countedTables: readonly CountedTable[] = tables.flatMap(({ name, counted }) =>
  counted === undefined ? [] : [{ ...counted, table: name }],
)

/** A table whose list is divided into segments. */
export type DividedTable = CountedTable & { readonly key: string }

/** The counted tables whose lists are ordered by time, and divided into segments. */
export const dividedTables: readonly DividedTable[] = countedTables.flatMap(({ key, ...counted }) =>
  key === undefined ? [] : [{ ...counted, key }],
)

/**
 * The number of records of one status that a segment of a list holds before the next one begins. Reading a page in the
 * middle skips half a segment in an index, at 30 ns a record, and adds up the counts of all segments, at 100 ns each.
 */
export const segmentLength = 1_000

/** The segment of a row: the last one that begins before it. */
export const segmentOf = ({ kind, key }: CountedTable, row: string): string =>
  key === undefined
    ? `''`
    : `coalesce((select c.since from list_counts c where c.board_id = ${row}.board_id and c.kind = '${kind}'
        and c.since <= ${row}.${key} order by c.since desc limit 1), '')`

const countOf = (counted: CountedTable, row: string): string =>
  `board_id = ${row}.board_id and kind = '${counted.kind}' and since = ${segmentOf(counted, row)}
    and status = ${row}.status and archived = ${row}.archived`

/**
 * Starts a segment with a row when the newest one is full. Every other row has to be older, because a row is looked up
 * in the last segment that begins before it. The check goes through the segment, so that PostgreSQL makes it only if
 * the segment is full.
 */
const begin = ({ kind, table, key }: CountedTable, length: number): string =>
  key === undefined
    ? ''
    : `insert into list_counts (board_id, kind, since, status, archived, count)
        select new.board_id, '${kind}', new.${key}, new.status, new.archived, 0 from list_counts c
          where c.board_id = new.board_id and c.kind = '${kind}' and c.since = (
              select since from list_counts where board_id = new.board_id and kind = '${kind}' order by since desc limit 1)
            and c.status = new.status and c.archived = new.archived and c.count >= ${length}
            and not exists (select 1 from ${table} t
              where t.board_id = c.board_id and t.${key} >= new.${key} and t.id <> new.id);`

const add = (counted: CountedTable, length: number): string => `${begin(counted, length)}
  insert into list_counts (board_id, kind, since, status, archived, count)
    values (new.board_id, '${counted.kind}', ${segmentOf(counted, 'new')}, new.status, new.archived, 1)
    on conflict (board_id, kind, since, status, archived) do update set count = list_counts.count + 1;`

const remove = (counted: CountedTable): string => `
  update list_counts set count = count - 1 where ${countOf(counted, 'old')};
  delete from list_counts where ${countOf(counted, 'old')} and count = 0;`

/** The triggers that maintain the counts of a table, for every write and in its transaction. */
export function countingTriggers(counted: CountedTable, length = segmentLength): readonly Trigger[] {
  const { table, key, where } = counted
  const when = (row: string) => where && { when: where(row) }
  const moved = key === undefined ? '' : ` or ${segmentOf(counted, 'old')} <> ${segmentOf(counted, 'new')}`
  return [
    { name: `${table}_counted`, table, after: 'insert', ...when('new'), statements: add(counted, length) },
    { name: `${table}_uncounted`, table, after: 'delete', ...when('old'), statements: remove(counted) },
    {
      name: `${table}_recounted`,
      table,
      after: `update of status, archived${key === undefined ? '' : `, ${key}`}`,
      when: `${where === undefined ? '' : `${where('new')} and `}(old.status <> new.status or old.archived <> new.archived${moved})`,
      statements: `${remove(counted)} ${add(counted, length)}`,
    },
  ]
}

/**
 * Splits a segment that has grown to twice its length, which happens where records come with times of their own: an
 * import, a restored archive. The upper half gets rows of its own with negative counts, which the trigger of
 * `movedCounts` subtracts from the lower half. A segment of records that all changed at the same time stays whole, and
 * is checked again once it has grown by its length.
 */
export function splittingTrigger({ kind, table, key, where }: DividedTable, length = segmentLength): Trigger {
  const ofBoard = `c.board_id = new.board_id and c.kind = '${kind}'`
  const next = `coalesce((select min(c.since) from list_counts c where ${ofBoard} and c.since > new.since), '~')`
  const isCounted = (row: string) => (where === undefined ? '' : ` and ${where(row)}`)
  const half = `(select sum(c.count) / 2 from list_counts c where ${ofBoard} and c.since = new.since)`
  return {
    name: `${table}_split`,
    table: 'list_counts',
    after: 'update of count',
    when: `new.kind = '${kind}' and new.count > old.count and new.count >= ${2 * length} and new.count % ${length} = 0`,
    statements: `
      insert into list_counts (board_id, kind, since, status, archived, count)
        select t.board_id, '${kind}', middle.since, t.status, t.archived, -count(*) from (
            select m.${key} as since, ${next} as until from ${table} m
              where m.board_id = new.board_id and m.${key} > new.since and m.${key} < ${next}${isCounted('m')}
              order by m.${key} limit 1 offset ${half}) middle
          join ${table} t on t.board_id = new.board_id and t.${key} >= middle.since and t.${key} < middle.until${isCounted('t')}
          group by t.board_id, middle.since, t.status, t.archived;`,
  }
}

const lower = `board_id = new.board_id and kind = new.kind and status = new.status and archived = new.archived
  and since = (select c.since from list_counts c where c.board_id = new.board_id and c.kind = new.kind
    and c.since < new.since order by c.since desc limit 1)`

/** Subtracts what `splittingTrigger` counted in an upper half from the lower one. */
export const movedCounts: Trigger = {
  name: 'list_counts_moved',
  table: 'list_counts',
  after: 'insert',
  when: 'new.count < 0',
  statements: `
    update list_counts set count = count + new.count where ${lower};
    delete from list_counts where ${lower} and count = 0;
    update list_counts set count = -new.count where board_id = new.board_id and kind = new.kind
      and since = new.since and status = new.status and archived = new.archived;`,
}

/** The statement that counts the rows of a table without counts. */
export const countAll = ({ kind, table, key, where }: CountedTable, length = segmentLength): string =>
  key === undefined
    ? `insert into list_counts (board_id, kind, since, status, archived, count)
        select board_id, '${kind}', '', status, archived, count(*) from ${table} group by board_id, status, archived`
    : `insert into list_counts (board_id, kind, since, status, archived, count)
        select board_id, '${kind}', case segment when 0 then '' else since end, status, archived, count(*) from (
          select board_id, status, archived, segment, min(${key}) over (partition by board_id, segment) as since from (
            select board_id, status, archived, ${key},
              (rank() over (partition by board_id order by ${key}) - 1) / ${length} as segment from ${table}${where === undefined ? '' : ` where ${where(table)}`}) ranked) divided
        group by board_id, segment, since, status, archived`
