declare module 'pgpass' {
  /** Finds the password of a connection in `PGPASSFILE` or `~/.pgpass`; undefined when there is none. */
  export default function pgpass(
    connection: { readonly host: string; readonly port: number; readonly database?: string; readonly user?: string },
    found: (password: string | undefined) => void,
  ): void
}
