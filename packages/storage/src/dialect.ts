import {
  type AliasableExpression,
  type Expression,
  type RawBuilder,
  type RawNode,
  type SelectQueryNode,
  type ShallowDehydrateValue,
  type SqlBool,
  sql,
} from 'kysely'
import { jsonArrayFrom as postgresArrayFrom, jsonObjectFrom as postgresObjectFrom } from 'kysely/helpers/postgres'
import { jsonArrayFrom as sqliteArrayFrom, jsonObjectFrom as sqliteObjectFrom } from 'kysely/helpers/sqlite'
import type { CollectedJson, Json } from './json.ts'

/** A select of rows of this type. */
interface Select<Row> extends AliasableExpression<Row> {
  readonly isSelectQueryBuilder: true
  toOperationNode(): SelectQueryNode
}

/** A row nested in another one; its own JSON columns stay text. */
type NestedRow<Row> = { [Column in keyof Row]: NestedValue<Row[Column]> }
type NestedValue<Value> =
  Value extends CollectedJson<infer Content> ? Json<Content> | Content : ShallowDehydrateValue<Value>

/** SQL that has a different form on PostgreSQL. */
export interface TwofoldNode extends RawNode {
  readonly postgres: RawNode
}

/** SQL that differs between the databases; the compiler of each uses its own form. */
export function perDialect<Value>(sqlite: RawBuilder<unknown>, postgres: RawBuilder<unknown>): RawBuilder<Value> {
  const node: TwofoldNode = { ...rawNode(sqlite), postgres: rawNode(postgres) }
  return sql<Value>`${{ expressionType: undefined, toOperationNode: () => node } satisfies Expression<unknown>}`
}

const rawNode = (builder: RawBuilder<unknown>): RawNode => sql`${builder}`.toOperationNode() as RawNode

/** A JSON column in a form that PostgreSQL can query. */
const jsonb = (column: Expression<unknown>) => sql`${column}::jsonb`

/** The numbers of digits between the hyphens of an id of the service. */
const idDigits = [8, 4, 4, 4, 12] as const

/** The form of an id as a pattern of SQLite and PostgreSQL. */
const idForm = {
  glob: idDigits.map(count => '[0-9a-f]'.repeat(count)).join('-'),
  expression: `^${idDigits.map(count => `[0-9a-f]{${count}}`).join('-')}$`,
} as const

/** The elements of a JSON array as PostgreSQL's texts. */
const texts = (values: unknown) => sql`array(select jsonb_array_elements_text((${values})::jsonb))`

/**
 * Everything that differs between the databases. JSON columns are text in both, and the stores parse them; booleans are
 * 1 and 0 in both.
 */
export const dialect = {
  /** A nested collection as one JSON column. */
  jsonArrayFrom: <Row>(rows: Select<Row>): RawBuilder<CollectedJson<NestedRow<Row>[]>> =>
    perDialect(sqliteArrayFrom(rows), postgresArrayFrom(rows)),
  /** A nested record, or null, as one JSON column. */
  jsonObjectFrom: <Row>(row: Select<Row>): RawBuilder<CollectedJson<NestedRow<Row>> | null> =>
    perDialect(sqliteObjectFrom(row), postgresObjectFrom(row)),
  /** `column in (values)`, with the values as the text of a JSON array of texts; an empty list matches nothing. */
  inList: (column: Expression<string | null>, values: string | RawBuilder<string>): Expression<SqlBool> =>
    perDialect<SqlBool>(
      sql`${column} in (select value from json_each(${values}))`,
      sql`${column} = any(${texts(values)})`,
    ),
  /**
   * `column = board`, so that an engine that places rows by their board searches one board only. On SQLite, where all
   * rows are in one file, it is always true: a comparison would only mislead the choice of an index.
   */
  onBoard: (column: Expression<string | null>, board: string | Expression<string | null>): Expression<SqlBool> =>
    perDialect<SqlBool>(sql`1 = 1`, sql`${column} = ${board}`),
  /** Like `onBoard`, but for several boards, whose ids are a JSON array of texts. */
  onBoards: (column: Expression<string | null>, boards: string | Expression<string>): Expression<SqlBool> =>
    perDialect<SqlBool>(sql`1 = 1`, sql`${column} = any(${texts(boards)})`),
  /**
   * The key of a table whose rows belong to boards, as `on conflict` names it: on PostgreSQL it begins with the board,
   * so that an engine that places rows by their board finds all rows with which a key is compared in one place.
   */
  keyOnBoard: (columns: readonly string[]): Expression<string> => {
    const key = sql.join(columns.map(column => sql.ref(column)))
    return perDialect<string>(key, sql`board_id, ${key}`)
  },
  /** `column in (values)` for numbers. */
  inNumbers: (column: Expression<number | null>, values: string | RawBuilder<string>): Expression<SqlBool> =>
    perDialect<SqlBool>(
      sql`${column} in (select value from json_each(${values}))`,
      sql`${column} = any(${texts(values)}::integer[])`,
    ),
  /**
   * `column in (query)`, for a query that finds few rows: PostgreSQL cannot estimate that, and would compare every row
   * of the column's table with the result instead of looking up the few values in an index.
   */
  inFew: (column: Expression<unknown>, query: RawBuilder<unknown>): Expression<SqlBool> =>
    perDialect<SqlBool>(sql`${column} in (${query})`, sql`${column} = any(array(${query}))`),
  /**
   * The elements of a JSON array as a table with the columns `key` (the position) and `value`: a text unchanged, all
   * else as JSON.
   */
  jsonElements: (column: Expression<string | null>) =>
    perDialect<{ value: string }>(
      sql`json_each(${column})`,
      sql`lateral (select place - 1 as key, (element #>> '{}') collate "C" as value
        from jsonb_array_elements(${jsonb(column)}) with ordinality as elements (element, place))`,
    ),
  /** A JSON array of the values of a column, in a query that selects nothing else. */
  jsonCollect: (column: Expression<unknown>) =>
    perDialect<string>(sql`json_group_array(${column})`, sql`coalesce(json_agg(${column}), '[]')`),
  /** Columns as the members of one JSON object. */
  jsonObject: (columns: readonly string[]) => {
    const members = sql.join(columns.flatMap(name => [sql.lit(name), sql.ref(name)]))
    return perDialect<string>(sql`json_object(${members})`, sql`json_build_object(${members})`)
  },
  /** A member of a JSON object column as text; null when it is missing. */
  jsonText: (column: Expression<string | null>, member: string) =>
    perDialect<string | null>(
      sql`json_extract(${column}, ${sql.lit(`$.${member}`)})`,
      sql`(${jsonb(column)} ->> ${sql.lit(member)}) collate "C"`,
    ),
  /** A member of a JSON object column as a number; null when it is missing. */
  jsonNumber: (column: Expression<string | null>, member: string) =>
    perDialect<number | null>(
      sql`json_extract(${column}, ${sql.lit(`$.${member}`)})`,
      sql`(${jsonb(column)} ->> ${sql.lit(member)})::double precision`,
    ),
  /** Whether a member of a JSON object column is true. */
  jsonFlag: (column: Expression<string | null>, member: string) =>
    perDialect<SqlBool>(
      sql`json_extract(${column}, ${sql.lit(`$.${member}`)}) is true`,
      sql`(${jsonb(column)} ->> ${sql.lit(member)}) is not distinct from 'true'`,
    ),
  /** The number of elements in a JSON array column; 0 for null. */
  jsonLength: (column: Expression<string | null>) =>
    perDialect<number>(
      sql`coalesce(json_array_length(${column}), 0)`,
      sql`coalesce(jsonb_array_length(${jsonb(column)}), 0)`,
    ),
  /** A number in the last element of a JSON array column of objects; null when it is missing. */
  jsonLastNumber: (column: Expression<string | null>, member: string) =>
    perDialect<number | null>(
      sql`json_extract(${column}, ${sql.lit(`$[#-1].${member}`)})`,
      sql`(${jsonb(column)} -> -1 ->> ${sql.lit(member)})::double precision`,
    ),
  /** Whether a member of the last element of a JSON array column of objects is true. */
  jsonLastFlag: (column: Expression<string | null>, member: string) =>
    perDialect<SqlBool>(
      sql`json_extract(${column}, ${sql.lit(`$[#-1].${member}`)}) is true`,
      sql`(${jsonb(column)} -> -1 ->> ${sql.lit(member)}) is not distinct from 'true'`,
    ),
  /** A parameter that is selected as a text. */
  text: (value: string) => perDialect<string>(sql`${value}`, sql`${value}::text collate "C"`),
  /** A condition as a number: 1 if it holds, else 0. */
  flag: (condition: Expression<unknown>) => perDialect<0 | 1>(sql`(${condition})`, sql`(${condition})::integer`),
  /** A text as `foldedText` makes it. In SQLite that is a call of JavaScript, so use it only where needed. */
  folded: (text: Expression<unknown>) => perDialect<string>(sql`folded(${text})`, sql`specboard_folded(${text})`),
  /** Like `folded` if a parameter is 1; otherwise ASCII lower case, which costs a tenth as much. */
  foldedIf: (foreign: unknown, text: Expression<unknown>) =>
    sql<string>`case when ${foreign} = 1 then ${dialect.folded(text)} else lower(${text}) end`,
  /** Whether a text contains another one. */
  contains: (text: Expression<unknown>, part: Expression<unknown> | string) =>
    perDialect<SqlBool>(sql`instr(${text}, ${part}) > 0`, sql`strpos(${text}, ${part}) > 0`),
  /** Whether a text has the form of the service's own ids, like `isId`. */
  isId: (text: Expression<unknown>) =>
    perDialect<SqlBool>(sql`${text} glob ${sql.lit(idForm.glob)}`, sql`${text} ~ ${sql.lit(idForm.expression)}`),
  /** The time by the clock of the database, a number of ms from now. */
  timeIn: (ms: number) =>
    perDialect<string>(
      sql`strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ${`${ms / 1_000} seconds`})`,
      sql`to_char((clock_timestamp() + ${`${ms} ms`}::interval) at time zone 'UTC',
        'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') collate "C"`,
    ),
  /** The time between two times, ms. */
  millisecondsBetween: (from: Expression<string>, to: Expression<string>) =>
    perDialect<number>(
      sql`round((unixepoch(${to}, 'subsec') - unixepoch(${from}, 'subsec')) * 1000)`,
      sql`round(extract(epoch from ${to}::timestamptz - ${from}::timestamptz) * 1000)`,
    ),
  /** Marks a condition that most rows meet: SQLite then prefers a covering index to one that the condition narrows. */
  likely: (condition: RawBuilder<unknown>) => perDialect<SqlBool>(sql`likely(${condition})`, condition),
} as const
