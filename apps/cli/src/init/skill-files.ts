/** The skills in the folder of a project where its clients look for them (harness 2.1). */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ProjectClient } from './client-files.ts'

/** Where each client looks for skills, from the project's folder. */
const skillFolders: Readonly<Record<ProjectClient, string>> = {
  'claude-code': '.claude/skills',
  cursor: '.agents/skills',
  vscode: '.agents/skills',
  codex: '.agents/skills',
  gemini: '.agents/skills',
}

/** The folder of the skills: next to the bundled program, otherwise in the repository. */
function sourceFolder(): string {
  const bundled = join(import.meta.dirname, 'skills')
  return existsSync(bundled) ? bundled : join(import.meta.dirname, '../../../../integrations/plugin/skills')
}

/** The files of the skills for a client, by their path in the project. */
export function skillFiles(client: ProjectClient): Readonly<Record<string, string>> {
  const source = sourceFolder()
  return Object.fromEntries(
    readdirSync(source)
      .sort()
      .map(skill => [
        `${skillFolders[client]}/${skill}/SKILL.md`,
        readFileSync(join(source, skill, 'SKILL.md'), 'utf8'),
      ]),
  )
}
