/** What of `node:http` is used. An import of it would load the web sockets that it exports as well: 12 MiB. */
export const { createServer, request } = process.getBuiltinModule('node:http')
