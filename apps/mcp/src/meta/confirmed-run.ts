import { isReading, operationByName } from '@specboard/contract'
import type { z } from 'zod'
import type { CallContext, ToolConfirmation } from '../calls/call-context.ts'
import { agreedForAll, isFirstUse, Question } from '../calls/confirming.ts'
import type { Arguments } from '../calls/read-arguments.ts'
import type { Outcome } from '../calls/results.ts'
import { toolNamed } from '../tools/view.ts'
import type { RunOperations } from './run-operations.ts'

type Calls = z.output<typeof RunOperations>

/** Calls an operation by name, confirmed in this way. */
type CallByName = (confirming: ToolConfirmation | undefined, name: string, args: Arguments) => Promise<Outcome>

/**
 * How the calls of a run are confirmed: all with one question, before the first is made (people 4). Each call that may
 * need confirmation is rehearsed first; one that needs the result of an earlier call is asked about as it was sent.
 * @throws Question
 */
export async function confirmingOf(
  context: CallContext,
  { calls, continue_on_error }: Calls,
  call: CallByName,
): Promise<ToolConfirmation | undefined> {
  const { confirming } = context
  if (confirming === undefined) return undefined
  const questions: Question['calls'][number][] = []
  /** Whether no earlier call changes anything, so that a call refused in the rehearsal is also refused in the run. */
  let isUntouched = true
  for (const { name, arguments: rawArgs } of calls) {
    const args = rawArgs ?? {}
    const operation = operationByName.get(toolNamed(name.trim()) ?? '')
    if (operation?.confirm === undefined) {
      isUntouched &&= operation === undefined || isReading(operation)
      continue
    }
    const outcome = refersToOthers(args) ? 'unknown' : await rehearsed(() => call(rehearsing, name, args))
    if (outcome === 'refused' && isUntouched) {
      if (continue_on_error) continue
      break
    }
    isUntouched = false
    if (!(outcome instanceof Question)) questions.push({ operation: operation.name, subject: undefined, args })
    else if (outcome.isNeeded) questions.push(...outcome.calls)
  }
  if (questions.length === 0) return { agreed: undefined }
  const question = new Question(questions)
  const { agreed } = confirming
  const isSame = agreed !== undefined && JSON.stringify(agreed.marks) === JSON.stringify(question.marks)
  if (!isSame || !(await isFirstUse(context, agreed.use))) throw question
  return agreedForAll
}

const rehearsing: ToolConfirmation = { agreed: undefined, isRehearsal: true }

/** What would be asked about a call; `refused` if it is refused or was made before. */
async function rehearsed(call: () => Promise<Outcome>): Promise<Question | 'refused'> {
  try {
    await call()
    return 'refused'
  } catch (error) {
    if (error instanceof Question) return error
    throw error
  }
}

/** Whether arguments use values of earlier calls. */
const refersToOthers = (args: Arguments): boolean => JSON.stringify(args).includes('${')
