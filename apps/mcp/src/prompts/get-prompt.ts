import type { GetPromptResult, Prompt, ReadResourceResult } from '@modelcontextprotocol/server'
import { type AnyOperation, operationByName } from '@specboard/contract'
import { UnknownName } from '../backend.ts'
import { nearest, shownName } from '../nearest.ts'
import { type Workflow, workflows } from './prompts.ts'

type MayUse = (operation: AnyOperation) => boolean

const isOpen = ({ operations }: Workflow, mayUse: MayUse) =>
  operations.every(name => mayUse(operationByName.get(name)!))

/** The prompts whose operations a key may use. */
export const listedPrompts = (mayUse: MayUse): Prompt[] =>
  workflows
    .filter(workflow => isOpen(workflow, mayUse))
    .map(({ name, title, description, arguments: args }) => ({
      name,
      title,
      description,
      ...(args.length > 0 && { arguments: args.map(argument => ({ ...argument, required: true })) }),
    }))

/**
 * A prompt: one message of steps, and the record as an embedded resource (mcp 12.4).
 * @throws UnknownName for an unknown prompt or a missing argument; UnknownResource for an invisible record
 */
export async function promptResult(
  name: string,
  args: Readonly<Record<string, string>>,
  read: (uri: string) => Promise<ReadResourceResult>,
  mayUse: MayUse,
): Promise<GetPromptResult> {
  const workflow = workflows.find(candidate => candidate.name === name && isOpen(candidate, mayUse))
  if (workflow === undefined) {
    const [suggestion] = nearest(
      name,
      workflows.filter(candidate => isOpen(candidate, mayUse)).map(candidate => candidate.name),
      1,
    )
    throw new UnknownName(
      `Unknown prompt '${shownName(name)}'${suggestion === undefined ? '.' : `; did you mean '${suggestion}'?`}`,
    )
  }
  const missing = workflow.arguments.map(argument => argument.name).filter(argument => !args[argument]?.trim())
  if (missing.length > 0) throw new UnknownName(`Prompt ${name} needs ${missing.join(', ')}.`)
  const { contents } = await read(workflow.resource(args))
  return {
    description: workflow.description,
    messages: [
      { role: 'user', content: { type: 'text', text: workflow.steps(args) } },
      ...contents.map(resource => ({ role: 'user' as const, content: { type: 'resource' as const, resource } })),
    ],
  }
}
