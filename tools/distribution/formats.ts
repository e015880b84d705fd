/**
 * Schemas of the files that registries and clients read, as far as they are used here, after the published descriptions
 * of their formats. A file that does not match is not written.
 */
import { z } from 'zod'

const Version = z.string().regex(/^\d+\.\d+\.\d+(?:-[\w.]+)?$/)
const KebabCase = z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/)
const Https = z.url({ protocol: /^https$/ })
const Named = z.strictObject({ name: z.string().min(1) })

const Input = z.strictObject({
  name: z.string().min(1),
  description: z.string(),
  default: z.string().optional(),
  isRequired: z.boolean().optional(),
  isSecret: z.boolean().optional(),
})

/** `server.json` of the MCP registry, schema 2025-12-11. */
export const RegistryServer = z.strictObject({
  $schema: z.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: Version.max(255),
  repository: z.strictObject({ url: Https, source: z.literal('github') }),
  packages: z.array(
    z.strictObject({
      registryType: z.literal('npm'),
      identifier: z.string().min(1),
      version: Version,
      runtimeHint: z.literal('npx'),
      transport: z.strictObject({ type: z.literal('stdio') }),
      packageArguments: z.array(z.strictObject({ type: z.literal('positional'), value: z.string() })),
      environmentVariables: z.array(Input),
    }),
  ),
})

/** `plugin.json` of a Claude Code plugin. */
export const ClaudePlugin = z.strictObject({
  name: KebabCase,
  description: z.string(),
  version: Version,
  author: Named,
  repository: Https,
  license: z.string(),
  keywords: z.array(z.string()),
})

/** `marketplace.json`, with which a repository offers plugins to Claude Code. */
export const ClaudeMarketplace = z.strictObject({
  name: KebabCase,
  description: z.string(),
  owner: Named,
  plugins: z.array(ClaudePlugin.extend({ source: z.string().regex(/^\.\//) })).min(1),
})

const Setting = z.strictObject({
  type: z.enum(['string', 'number', 'boolean', 'directory', 'file']),
  title: z.string(),
  description: z.string(),
  default: z.string().optional(),
  required: z.boolean().optional(),
  sensitive: z.boolean().optional(),
})

/** `manifest.json` of an MCPB bundle, version 0.3. */
export const McpbManifest = z.strictObject({
  manifest_version: z.literal('0.3'),
  name: z.string().min(1),
  display_name: z.string(),
  version: Version,
  description: z.string(),
  author: Named,
  repository: z.strictObject({ type: z.literal('git'), url: Https }),
  license: z.string(),
  keywords: z.array(z.string()),
  server: z.strictObject({
    type: z.literal('node'),
    entry_point: z.string(),
    mcp_config: z.strictObject({
      command: z.literal('node'),
      args: z.array(z.string()),
      env: z.record(z.string(), z.string()),
    }),
  }),
  tools_generated: z.boolean(),
  prompts_generated: z.boolean(),
  compatibility: z.strictObject({
    platforms: z.array(z.enum(['darwin', 'linux', 'win32'])),
    runtimes: z.strictObject({ node: z.string() }),
  }),
  user_config: z.record(z.string(), Setting),
})

const About = {
  name: KebabCase.max(64),
  version: Version,
  description: z.string(),
  author: Named,
  repository: Https,
  license: z.string(),
  keywords: z.array(z.string()),
}

/** Where Agent Plugins 1.0.0 publishes its schemas. */
export const agentPlugins = 'https://agent-plugins.org/schemas/1.0.0'

/** `plugin.json` of Agent Plugins 1.0.0: its name is the only required member besides `$schema`. */
export const AgentPlugin = z.strictObject({ $schema: z.literal(`${agentPlugins}/plugin.schema.json`), ...About })

/** `mcp.json` of Agent Plugins 1.0.0, as far as servers on stdio go: no variable in the command. */
export const AgentPluginServers = z.strictObject({
  $schema: z.literal(`${agentPlugins}/mcp.schema.json`),
  mcpServers: z.record(
    z.string(),
    z.strictObject({
      type: z.literal('stdio'),
      command: z.string().regex(/^[\w.-]+$/),
      args: z.array(z.string()),
    }),
  ),
})

/** `.cursor-plugin/plugin.json`, as cursor/plugins describes it. */
export const CursorPlugin = z.strictObject({
  ...About,
  displayName: z.string(),
  skills: z.string(),
  rules: z.string(),
  hooks: z.string(),
  mcpServers: z.string(),
})

/** `.codex-plugin/plugin.json`, with the paths that Codex reads. */
export const CodexPlugin = z.strictObject({ ...About, skills: z.string(), hooks: z.string(), mcpServers: z.string() })

/** `.agents/plugins/marketplace.json`, by which Codex finds plugins in a repository. */
export const CodexMarketplace = z.strictObject({
  name: KebabCase,
  plugins: z.array(
    z.strictObject({
      name: KebabCase,
      source: z.strictObject({ source: z.literal('local'), path: z.string().regex(/^\.\//) }),
      policy: z.strictObject({ installation: z.literal('AVAILABLE'), authentication: z.literal('ON_INSTALL') }),
      category: z.string(),
    }),
  ),
})

/** `gemini-extension.json`. */
export const GeminiExtension = z.strictObject({
  name: KebabCase,
  version: Version,
  description: z.string(),
  contextFileName: z.string(),
  mcpServers: z.record(z.string(), z.strictObject({ command: z.string(), args: z.array(z.string()) })),
  settings: z.array(
    z.strictObject({ name: z.string(), description: z.string(), envVar: z.string(), sensitive: z.boolean() }),
  ),
})

/** The head of a skill, by the rules of Agent Skills and shorter. */
export const SkillHead = z.strictObject({
  name: KebabCase.max(64),
  description: z.string().min(1).max(300),
  license: z.string(),
  metadata: z.strictObject({ presets: z.string() }),
})
