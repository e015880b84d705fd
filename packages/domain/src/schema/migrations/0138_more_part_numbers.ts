import { statements } from './statements.ts'

/** Parts that get numbers: the table, the column of their record, their letter. */
const parts = [
  ['knowledge', 'owner_id', 'k'],
  ['attachments', 'card_id', 'a'],
  ['task_validations', 'card_id', 'v'],
  ['spec_validations', 'spec_id', 'v'],
  ['architecture_designs', 'parent_id', 'd'],
] as const

/** The number of each part on its record, in the order of creation. */
const numbered = (table: string, owner: string): string =>
  `update ${table} set number = (select count(*) from ${table} o where o.${owner} = ${table}.${owner}
    and (o.created_at < ${table}.created_at or (o.created_at = ${table}.created_at and o.id <= ${table}.id)))`

const counted = (table: string, owner: string, letter: string): string =>
  `insert into part_numbers (owner_id, letter, board_id, last)
    select ${owner}, '${letter}', board_id, max(number) from ${table} group by ${owner}, board_id`

/**
 * Knowledge, attachments, verdicts and designs have references too (crew 8.2). For the knowledge of cards, the existing
 * entries are counted.
 * @param entries how many entries of knowledge a card has, in SQL
 */
export const texts = (entries: string): readonly string[] => [
  ...parts.flatMap(([table, owner, letter]) => [
    `alter table ${table} add column number bigint not null default 0`,
    numbered(table, owner),
    counted(table, owner, letter),
  ]),
  `insert into part_numbers (owner_id, letter, board_id, last)
    select id, 'k', board_id, ${entries} from cards where knowledge_bases <> '[]'`,
]

export const migration = statements(texts('json_array_length(knowledge_bases)'))
