import { createHash } from 'node:crypto'
import { type InputRequiredResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { type AnyOperation, maskKeys } from '@specboard/contract'
import {
  anyMark,
  type Call,
  type ConfirmationWanted,
  DomainError,
  hashOf,
  isConfirmed,
  oneLine,
  refuseWithoutPerson,
  type Subject,
  subjectOf,
  UsedTickets,
} from '@specboard/domain'
import type { Agreement, CallContext, ToolConfirmation } from './call-context.ts'
import { isObject } from './lean-value.ts'
import type { Arguments } from './read-arguments.ts'

/** What a client that can ask its user sent with a call: the state of a question, and the answer. */
export interface PendingConfirmation {
  readonly state: string | undefined
  readonly responses: Readonly<Record<string, unknown>> | undefined
}

/** An agreement to a run of calls, whose records were compared before the first of them. */
export const agreedForAll: ToolConfirmation = { agreed: { marks: [anyMark], use: undefined } }

/** One call that a question is about. */
interface QuestionedCall {
  readonly operation: string
  /** The record; undefined if it is not known yet, because an earlier call of the run creates it. */
  readonly subject: Subject | undefined
  /** The arguments of the call, if its record is not known. */
  readonly args?: Arguments
}

/** Thrown by calls that the person at the client has to confirm first; nothing of them is written. */
export class Question extends Error {
  readonly calls: readonly QuestionedCall[]
  /** Whether anything has to be asked; false for a rehearsed call that needs no confirmation. */
  readonly isNeeded: boolean

  constructor(calls: readonly QuestionedCall[], isNeeded = true) {
    super('The person at the client confirms this first.')
    this.calls = calls
    this.isNeeded = isNeeded
  }

  get marks(): readonly string[] {
    return this.calls.map(({ subject }) => subject?.mark ?? '')
  }
}

/** The question of a call that was held back. */
export const questionOf = ({ name }: AnyOperation, { subject, isNeeded }: ConfirmationWanted): Question =>
  new Question([{ operation: name, subject }], isNeeded)

/** How the call of an operation is confirmed; undefined if it is not. */
export function confirmationOf(
  { confirming }: Pick<CallContext, 'confirming'>,
  { confirm }: AnyOperation,
): Call['confirmation'] {
  if (confirming === undefined || confirm === undefined) return undefined
  const { agreed, isRehearsal } = confirming
  return { mark: agreed?.marks[0], use: agreed?.use, isRehearsal }
}

/**
 * Continues an upload, once the person has confirmed it if necessary: refusals come first.
 * @param rehearse tries the upload without writing anything, and returns what it would answer
 * @throws Question
 */
export async function confirmedUpload(
  context: CallContext,
  call: Call,
  rehearse: () => Promise<unknown>,
): Promise<Call> {
  const { operation, input, confirmation } = call
  if (confirmation === undefined || !isConfirmed(operation, input, undefined))
    return { ...call, confirmation: undefined }
  const report = await rehearse()
  const boardId = (input.query as { readonly board_id: string }).board_id
  const found = await context.service.read(context.caller, async ctx => {
    await refuseWithoutPerson(ctx, boardId)
    return subjectOf(ctx, operation, input)
  })
  const subject = { ...found, parts: { ...found.parts, ...importedBy(report) } }
  const { mark, use, isRehearsal } = confirmation
  const isAgreed = isRehearsal !== true && (mark === anyMark || mark === subject.mark)
  if (!isAgreed || !(await isFirstUse(context, use))) throw new Question([{ operation: operation.name, subject }])
  return { ...call, confirmation: { mark: anyMark } }
}

/** How many records an import would write, according to its dry run. */
function importedBy(report: unknown): Readonly<Record<string, number>> {
  if (!isObject(report)) return {}
  const counts = [report.created, report.updated].filter(isObject).flatMap(Object.values)
  return { 'records from the file': counts.filter(count => typeof count === 'number').reduce((a, b) => a + b, 0) }
}

/** Marks an agreement as used; returns whether it was unused. */
export const isFirstUse = async ({ service }: Pick<CallContext, 'service'>, use: Agreement['use']): Promise<boolean> =>
  use === undefined || new UsedTickets(service).use(use.hash, Date.parse(use.expiresAt))

/** How long a question can be answered, ms. */
const answerWithinMs = 300_000

const sealedAs = 'confirmations'

/** A tool call to which a question is bound. */
interface QuestionBinding {
  readonly context: {
    readonly service: { readonly environment: Pick<CallContext['service']['environment'], 'clock' | 'secretKey'> }
    readonly caller: Pick<CallContext['caller'], 'id'>
    readonly view: Pick<CallContext['view'], 'boardId'>
  }
  readonly tool: string
  readonly args: Arguments
}

const hashOfCall = ({ context, tool, args }: QuestionBinding): string =>
  hashOf([tool, args, context.view.boardId ?? null])

/** A question as sent to the client: a form with one checkbox, and the state to return with the call. */
export function inputRequired(question: Question, bound: QuestionBinding): InputRequiredResult {
  const { service, caller } = bound.context
  const { clock, secretKey } = service.environment
  const state: State = [caller.id, hashOfCall(bound), question.marks, clock() + answerWithinMs]
  return {
    resultType: 'input_required',
    inputRequests: {
      confirm: {
        method: 'elicitation/create',
        params: {
          mode: 'form',
          message: messageOf(question),
          requestedSchema: {
            type: 'object',
            properties: {
              confirm: { type: 'boolean', title: 'Go ahead', description: 'This cannot be undone here.' },
            },
            required: ['confirm'],
          },
        },
      },
    },
    requestState: secretKey.wrap(sealedAs, Buffer.from(JSON.stringify(state))),
  }
}

type State = readonly [callerId: string, call: string, marks: readonly string[], until: number]

/**
 * What the person agreed to, from what came back with a call; undefined if nobody was asked, or too long ago.
 * @throws ProtocolError for a state that was not issued for this call and caller
 * @throws DomainError NOT_CONFIRMED
 */
export function agreedBy({ state, responses }: PendingConfirmation, bound: QuestionBinding): Agreement | undefined {
  if (state === undefined) return undefined
  const { service, caller } = bound.context
  const { clock, secretKey } = service.environment
  const opened = secretKey.unwrap(sealedAs, state)
  if (opened === undefined) throw foreign()
  const [callerId, call, marks, until] = JSON.parse(opened.toString()) as State
  if (callerId !== caller.id || call !== hashOfCall(bound)) throw foreign()
  if (!isAgreement(responses?.confirm)) throw notConfirmed(bound.tool)
  if (until < clock()) return undefined
  const hash = createHash('sha256').update(state).digest('hex')
  return { marks, use: { hash, expiresAt: new Date(until).toISOString() } }
}

const isAgreement = (response: unknown): boolean =>
  isObject(response) && response.action === 'accept' && isObject(response.content) && response.content.confirm === true

const foreign = () =>
  new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    'requestState was not given for this call. Call the tool again without it.',
  )

const notConfirmed = (tool: string) =>
  new DomainError(
    'NOT_CONFIRMED',
    `The person at the client did not confirm ${tool}, and nothing was changed. Ask them before you call it again.`,
  )

/** How many calls of a run a question lists. */
const maxNamed = 10

function messageOf({ calls }: Question): string {
  const named = calls.slice(0, maxNamed).map(lineOf)
  const more = calls.length - named.length
  return maskKeys(`${[...named, ...(more > 0 ? [`${more} more`] : [])].join('; ')}. Go ahead?`)
}

/** A call in one line: the operation, the record with its quoted title, and how many parts are affected. */
function lineOf({ operation, subject, args }: QuestionedCall): string {
  if (subject === undefined) return `${operation} ${JSON.stringify(oneLine(JSON.stringify(args ?? {})))}`
  const { kind, ref, title, parts } = subject
  const counts = Object.entries(parts).filter(([, count]) => count > 0)
  const goes = counts.map(([name, count]) => `${count} ${name}`).join(', ')
  const name = title === '' || title === ref ? '' : ` ${JSON.stringify(oneLine(title))}`
  return `${operation}: ${kind} ${oneLine(ref)}${name}${goes === '' ? '' : `, with ${goes}`}`
}
