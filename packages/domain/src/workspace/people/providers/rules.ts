/** Who may sign in with an account at a provider, and what its groups give (people 2.1, 2.3). */
import { allowsMore } from '../../../kernel/access/access.ts'
import type { ProviderSettings } from './settings.ts'

/** The provider's claims about an account; their signature, times and audience have been checked. */
export interface Claims {
  readonly iss: string
  readonly sub: string
  readonly [name: string]: unknown
}

/** An account at a provider, with the fields that matter here. */
export interface Account {
  readonly provider: string
  readonly issuer: string
  readonly subject: string
  /** Its address; null without one. */
  readonly email: string | null
  /** Whether the provider has verified that the account receives mail there. */
  readonly verified: boolean
  readonly name: string | null
  readonly groups: readonly string[]
}

/** Why somebody is not signed in: a code for the page (people 2.2). */
export type Refusal = 'expired' | 'refused' | 'not_allowed' | 'unverified' | 'not_linked' | 'provider' | 'disabled'

/** Characters that nobody sees, or that disguise others; people choose their texts at a provider. */
const unseen = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu

/** How long an address and a name are at most, characters. */
const [maxEmailLength, maxNameLength] = [254, 255]

/** An address as it is claimed; null if it would have to be changed, and so would be another address. */
function emailOf(value: unknown): string | null {
  const email = typeof value === 'string' ? value.trim() : ''
  return email === '' || email.length > maxEmailLength || email.search(unseen) !== -1 ? null : email
}

/** A name in one line. */
function shownName(value: unknown): string | null {
  const name = typeof value === 'string' ? value.replaceAll(unseen, ' ').trim() : ''
  return name === '' ? null : [...name].slice(0, maxNameLength).join('')
}

/** The member of claims at a dotted path. */
const memberAt = (claims: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (found, name) =>
        typeof found === 'object' && found !== null && Object.hasOwn(found, name)
          ? (found as Record<string, unknown>)[name]
          : undefined,
      claims,
    )

/**
 * The groups of an account: a string, or an array of them. A claim whose name itself contains dots is found under that
 * name.
 */
export function groupsOf(claims: Claims, path: string): readonly string[] {
  const found = Object.hasOwn(claims, path) ? claims[path] : memberAt(claims, path)
  const all = Array.isArray(found) ? found : [found]
  return all.filter(one => typeof one === 'string')
}

/** The account that claims describe. */
export function accountOf(
  { id, groups_claim, trust_email }: Pick<ProviderSettings, 'id' | 'groups_claim' | 'trust_email'>,
  claims: Claims,
): Account {
  const email = emailOf(claims.email)
  // Some providers send true as a text.
  const verified = trust_email || claims.email_verified === true || claims.email_verified === 'true'
  return {
    provider: id,
    issuer: claims.iss,
    subject: claims.sub,
    email,
    verified: email !== null && verified,
    name: shownName(claims.name),
    groups: groupsOf(claims, groups_claim),
  }
}

/** The domain of an address, in lower case; undefined for one that is not all ASCII. */
function domainOf(email: string | null): string | undefined {
  const at = email?.lastIndexOf('@') ?? -1
  const domain = at === -1 ? '' : email!.slice(at + 1).toLowerCase()
  return /^[a-z0-9.-]+$/.test(domain) ? domain : undefined
}

/**
 * Whether the lists of a provider admit an account: one match is enough, and without lists everybody is admitted.
 * @returns why not; undefined if they do
 */
export function refusalOf(
  { allowed_domains, allowed_groups, isLimited }: ProviderSettings,
  { email, verified, groups }: Pick<Account, 'email' | 'verified' | 'groups'>,
): 'not_allowed' | 'unverified' | undefined {
  if (!isLimited || groups.some(group => allowed_groups.includes(group))) return undefined
  const domain = domainOf(email)
  if (domain === undefined || !allowed_domains.includes(domain)) return 'not_allowed'
  return verified ? undefined : 'unverified'
}

/** What the groups of an account give. */
export interface GroupGrants {
  /** The name of the preset: from the first group that matches, otherwise from the provider. */
  readonly preset: string
  /** The level for each board, by the key of the board; the highest if several groups give one. */
  readonly boards: ReadonlyMap<string, Level>
  /** The groups that matched. */
  readonly groups: readonly string[]
}

/** A level of a share. */
export type Level = ProviderSettings['group_presets'][number]['share']

/** What the groups of an account give. */
export function givenBy({ preset, group_presets }: ProviderSettings, { groups }: Pick<Account, 'groups'>): GroupGrants {
  const fitting = group_presets.filter(({ group }) => groups.includes(group))
  const boards = new Map<string, Level>()
  for (const { boards: keys, share } of fitting)
    for (const key of keys) {
      const before = boards.get(key)
      if (before === undefined || allowsMore(share, before)) boards.set(key, share)
    }
  return { preset: fitting[0]?.preset ?? preset, boards, groups: fitting.map(({ group }) => group) }
}

/** The name of a new person: the account's name, otherwise the local part of its address. */
export const nameOf = ({ name, email, subject }: Account): string =>
  name ?? (email === null ? subject.slice(0, 255) : email.slice(0, email.lastIndexOf('@')) || email)
