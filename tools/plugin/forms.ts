/** The plugin in the form of each client, generated from one description (harness 2). */
import { readdirSync, readFileSync } from 'node:fs'
import { hooksFor, type Program } from '../../apps/cli/src/plugin/hook-forms.ts'
import { description } from '../distribution/description.ts'
import {
  AgentPlugin,
  AgentPluginServers,
  agentPlugins,
  ClaudePlugin,
  CodexMarketplace,
  CodexPlugin,
  CursorPlugin,
  GeminiExtension,
} from '../distribution/formats.ts'

import { type ProgramName, programs } from './programs.ts'

/** A folder for each client: several read the same `hooks/hooks.json` in forms that differ. */
export const pluginFolders = ['claude-code', 'codex', 'copilot', 'cursor', 'gemini', 'agent-plugin'] as const

export type PluginFolder = (typeof pluginFolders)[number]

const titles: Readonly<Record<PluginFolder, string>> = {
  'claude-code': 'Claude Code',
  codex: 'Codex',
  copilot: 'Copilot CLI and VS Code',
  cursor: 'Cursor',
  gemini: 'Gemini CLI',
  'agent-plugin': 'clients of Agent Plugins',
}

type Files = Record<string, string | Uint8Array>

const source = (path: string): URL => new URL(`../../integrations/plugin/${path}`, import.meta.url)

const text = (path: string): string => readFileSync(source(path), 'utf8')

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** The names of the skills, in text order. */
export const skillNames: readonly string[] = readdirSync(source('skills')).sort()

/** The metadata in every manifest of the plugin. */
const { name, title, text: about, version, licence, authors, repository, keywords } = description
const manifest = {
  name,
  version,
  description: about,
  author: { name: authors },
  repository,
  license: licence,
  keywords: [...keywords],
}

/** The server where a client expands the path of a plugin. */
const bundled = (root: string) => ({ command: 'node', args: [`${root}/bin/mcp.mjs`] })

/** The server by its bare name, with the view of models. */
const installed = { command: 'specboard', args: ['mcp', '--toolsets', 'core'] }

/** How a client names the folder of a plugin, in its files and in a shell. */
const roots = {
  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: the clients fill these in
  'claude-code': '${CLAUDE_PLUGIN_ROOT}',
  gemini: '${extensionPath}',
  'agent-plugin': '${PLUGIN_ROOT}',
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: the clients fill these in
} as const

const hookProgram = (root: string): Program => ({ path: `${root}/bin/hook.mjs` })

/** Commands of Gemini CLI: three lines each that call the skill. */
const geminiCommands = (): Files =>
  Object.fromEntries(
    skillNames.map(skill => {
      const [, summary = ''] = /^description: ([^.]+)\./m.exec(text(`skills/${skill}/SKILL.md`)) ?? []
      const lines = [`description = ${JSON.stringify(summary)}`, `prompt = "Use the skill ${skill}. {{args}}"`]
      return [`commands/specboard/${skill.replace('specboard-', '')}.toml`, `# Calls the skill.\n${lines.join('\n')}\n`]
    }),
  )

/** The manifest and servers of Agent Plugins. */
const ofAgentPlugins = (): Files => ({
  'plugin.json': json(AgentPlugin.parse({ $schema: `${agentPlugins}/plugin.schema.json`, ...manifest })),
  'mcp.json': json(
    AgentPluginServers.parse({
      $schema: `${agentPlugins}/mcp.schema.json`,
      mcpServers: { [name]: { type: 'stdio', ...bundled(roots['agent-plugin']) } },
    }),
  ),
})

/** The files that only one form has. */
const own: Readonly<Record<PluginFolder, () => Files>> = {
  'claude-code': () => ({
    '.claude-plugin/plugin.json': json(ClaudePlugin.parse(manifest)),
    '.claude-plugin/icon.png': readFileSync(new URL('../../apps/web/public/icon-512.png', import.meta.url)),
    '.mcp.json': json({ mcpServers: { [name]: bundled(roots['claude-code']) } }),
    'hooks/hooks.json': json(hooksFor('claude-code', { args: ['node', `${roots['claude-code']}/bin/hook.mjs`] })),
  }),
  codex: () => ({
    '.codex-plugin/plugin.json': json(
      CodexPlugin.parse({ ...manifest, skills: './skills/', hooks: './hooks/hooks.json', mcpServers: './.mcp.json' }),
    ),
    '.mcp.json': json({ mcpServers: { [name]: installed } }),
    'hooks/hooks.json': json(hooksFor('codex', hookProgram('$PLUGIN_ROOT'))),
  }),
  copilot: () => ({
    ...ofAgentPlugins(),
    'com.github.copilot/hooks/hooks.json': json(
      hooksFor('copilot', { path: '$PLUGIN_ROOT/bin/hook.mjs', windows: '$env:PLUGIN_ROOT/bin/hook.mjs' }),
    ),
  }),
  cursor: () => ({
    '.cursor-plugin/plugin.json': json(
      CursorPlugin.parse({
        ...manifest,
        displayName: title,
        skills: './skills/',
        rules: './rules/',
        hooks: './hooks/hooks.json',
        mcpServers: './mcp.json',
      }),
    ),
    'mcp.json': json({ mcpServers: { [name]: installed } }),
    'hooks/hooks.json': json(hooksFor('cursor', hookProgram('$CURSOR_PLUGIN_ROOT'))),
    'rules/specboard.mdc': `---\ndescription: Work that is tracked on a Specboard board\nalwaysApply: true\n---\n\n${text('texts/context.md')}`,
  }),
  gemini: () => ({
    'gemini-extension.json': json(
      GeminiExtension.parse({
        name,
        version,
        description: about,
        contextFileName: 'SPECBOARD.md',
        mcpServers: { [name]: bundled(roots.gemini) },
        settings: [
          {
            name: 'Address',
            description: 'The address of the service; empty: that of the project or of "specboard login"',
            envVar: 'SPECBOARD_URL',
            sensitive: false,
          },
          {
            name: 'API key',
            description: 'The key of the agent; empty: the one that "specboard login" saved',
            envVar: 'SPECBOARD_API_KEY',
            sensitive: true,
          },
        ],
      }),
    ),
    'hooks/hooks.json': json(hooksFor('gemini', hookProgram(roots.gemini))),
    'SPECBOARD.md': text('texts/context.md'),
    ...geminiCommands(),
  }),
  'agent-plugin': ofAgentPlugins,
}

/** The programs that a form needs; the format without hooks needs none. */
const programsOf = (folder: PluginFolder): readonly ProgramName[] => {
  const hasServer = folder !== 'codex' && folder !== 'cursor'
  return [
    ...(folder === 'agent-plugin' ? [] : (['bin/hook.mjs'] as const)),
    ...(hasServer ? (['bin/mcp.mjs'] as const) : []),
  ]
}

/** The files of one form, by their path in its folder. */
function formOf(folder: PluginFolder, bundles: Readonly<Record<ProgramName, string>>): Files {
  return {
    ...own[folder](),
    'README.md': text('texts/README.md').replace('{client}', titles[folder]),
    ...Object.fromEntries(skillNames.map(skill => [`skills/${skill}/SKILL.md`, text(`skills/${skill}/SKILL.md`)])),
    ...Object.fromEntries(programsOf(folder).map(program => [program, bundles[program]])),
  }
}

/** The lists by which Codex and Copilot CLI find the plugin in the repository; that of Claude Code is separate. */
const marketplaces = (): Files => ({
  '.agents/plugins/marketplace.json': json(
    CodexMarketplace.parse({
      name,
      plugins: [
        {
          name,
          source: { source: 'local', path: './integrations/codex' },
          policy: { installation: 'AVAILABLE', authentication: 'ON_INSTALL' },
          category: 'Productivity',
        },
      ],
    }),
  ),
  '.github/plugin/marketplace.json': json({
    name,
    owner: manifest.author,
    metadata: { description: about, version },
    plugins: [{ name, description: about, version, source: './integrations/copilot' }],
  }),
})

/** Every file of all forms, by its path in the repository. */
export async function pluginFiles(): Promise<Files> {
  const bundles = await programs()
  const forms = pluginFolders.flatMap(folder =>
    Object.entries(formOf(folder, bundles)).map(([path, file]) => [`integrations/${folder}/${path}`, file] as const),
  )
  return { ...Object.fromEntries(forms), ...marketplaces() }
}
