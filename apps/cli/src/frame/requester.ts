/**
 * The function that sends requests to an address: `request` of `node:http` or `node:https`. Importing either module
 * evaluates everything that it exports, and so loads all of `fetch`, which takes longer than the rest of a verb.
 */
export const requester = ({ protocol }: URL): typeof import('node:http').request =>
  process.getBuiltinModule(protocol === 'https:' ? 'node:https' : 'node:http').request
