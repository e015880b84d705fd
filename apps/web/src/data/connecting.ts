import { openPath } from '../base-path.ts'
import { fetchInSession } from './session-half.ts'
import { refusalOf } from './sign-in.ts'

/** What an app requests, and what a person may choose for it (people 3.5). */
export interface AppRequest {
  readonly client: {
    readonly name: string
    readonly host: string | null
    readonly redirect_host: string
    readonly loopback: boolean
    readonly verified: boolean
  }
  readonly scopes: readonly string[]
  readonly agents: readonly LendableAgent[]
  readonly presets: readonly { readonly id: string; readonly name: string; readonly description: string }[]
  readonly boards: readonly { readonly id: string; readonly key: string; readonly name: string }[]
  readonly previous: { readonly agent_id: string; readonly read_only: boolean; readonly confirm: boolean } | null
}

/** An agent that the app may act as. */
interface LendableAgent {
  readonly id: string
  readonly name: string
  readonly preset_id: string | null
  readonly preset_name: string
  readonly boards: readonly string[]
}

/** What a person chooses for an app. */
export interface AppChoices {
  readonly allow: boolean
  readonly agent_id?: string
  readonly new_agent?: { readonly name: string; readonly preset_id: string }
  readonly board_ids?: readonly string[]
  readonly read_only?: boolean
  /** Whether the app asks before it deletes something (people 4). */
  readonly confirm?: boolean
}

async function answered(response: Response) {
  if (!response.ok) throw await refusalOf(response)
  return response.json().catch(() => ({}))
}

/**
 * Reads the request that this page's address refers to.
 * @throws SignInRefused
 */
export const readAsked = async (): Promise<AppRequest> => answered(await fetchInSession(`${openPath()}/choice`))

/**
 * Sends the person's choice.
 * @returns where the browser goes next
 * @throws SignInRefused
 */
export async function choose(chosen: AppChoices): Promise<string> {
  const request = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(chosen),
  }
  return (await answered(await fetchInSession(`${openPath()}/choice`, request))).url
}
