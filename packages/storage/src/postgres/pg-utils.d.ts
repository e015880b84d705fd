/** What `pg` does not declare. */
declare module 'pg/lib/utils' {
  /** A parameter as it is sent. */
  export function prepareValue(value: unknown): string | Buffer | null
}
