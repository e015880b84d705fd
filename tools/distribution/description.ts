/** The descriptions of the product for registries, clients and package managers: the only place that defines them. */
import { readFileSync } from 'node:fs'

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

/** The repository of the project; change this line to publish it elsewhere. */
const owner = 'specboard'

/** The description of the product. */
export const description = {
  /** Of the npm package, the command and the MCP server. */
  name: 'specboard',
  title: 'Specboard',
  /** At most 100 characters: the limit of the MCP registry. */
  text: manifest.description as string,
  version: manifest.version as string,
  licence: manifest.license as string,
  authors: 'The Specboard authors',
  repository: `https://github.com/${owner}/specboard`,
  /** The name in the MCP registry, which proves it by the `mcpName` of the npm package. */
  mcpName: `io.github.${owner}/specboard`,
  keywords: ['mcp', 'agents', 'board', 'specification', 'delivery', 'kanban', 'sqlite'],
  /** The oldest Node that runs it. */
  node: manifest.engines.node as string,
} as const
