/**
 * What sends requests to an address: `request` of `node:http` or `node:https`. An import of either reads everything that it
 * exports, and with it loads all of `fetch`, which takes longer than the rest of a verb.
 */
export const requester = ({ protocol }: URL): typeof import('node:http').request =>
  process.getBuiltinModule(protocol === 'https:' ? 'node:https' : 'node:http').request
