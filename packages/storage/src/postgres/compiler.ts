import { type CompiledQuery, PostgresQueryCompiler, type QueryId, type RawNode, type RootOperationNode } from 'kysely'
import type { TwofoldNode } from '../dialect.ts'

/**
 * Compiles queries for PostgreSQL. For SQL that differs between the databases (`perDialect`), it uses PostgreSQL's
 * form.
 */
export class PostgresCompiler extends PostgresQueryCompiler {
  protected override visitRaw(node: RawNode): void {
    super.visitRaw('postgres' in node ? (node as TwofoldNode).postgres : node)
  }

  /** PostgreSQL cannot infer the type of a parameter that is only tested for null. */
  override compileQuery(node: RootOperationNode, queryId: QueryId): CompiledQuery {
    const compiled = super.compileQuery(node, queryId)
    return { ...compiled, sql: compiled.sql.replaceAll(/(\$\d+)( is (?:not )?null\b)/g, '$1::text$2') }
  }
}
