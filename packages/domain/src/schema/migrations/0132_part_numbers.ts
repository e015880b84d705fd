import { statements } from './statements.ts'

/** The number of each question and comment on its record, in the order of creation. */
const numbered = (table: string, owner: string): string =>
  `update ${table} set number = (select count(*) from ${table} o where o.${owner} = ${table}.${owner}
    and (o.created_at < ${table}.created_at or (o.created_at = ${table}.created_at and o.id <= ${table}.id)))`

const counted = (table: string, owner: string, letter: string): string =>
  `insert into part_numbers (owner_id, letter, board_id, last)
    select ${owner}, '${letter}', board_id, max(number) from ${table} group by ${owner}, board_id`

/** Questions and comments have references of their own (crew 8.2). */
export const partNumbers: readonly string[] = [
  `create table part_numbers (
    owner_id text not null,
    letter text not null,
    board_id text not null references boards (id) on delete cascade,
    last bigint not null,
    primary key (owner_id, letter)
  )`,
  `create index part_numbers_board on part_numbers (board_id)`,
  `alter table questions add column number bigint not null default 0`,
  `alter table comments add column number bigint not null default 0`,
  numbered('questions', 'owner_id'),
  numbered('comments', 'card_id'),
  counted('questions', 'owner_id', 'q'),
  counted('comments', 'card_id', 'c'),
]

export const migration = statements(partNumbers)
