/** The identity providers with which people sign in, from the file given in SIGN_IN_FILE (people 2.1). */
import { isIP } from 'node:net'
import { z } from 'zod'

const domain = z.string().regex(/^[a-z0-9.-]{1,253}$/, 'must be a domain in lower case, such as example.org')

const group = z.string().min(1).max(255)

const GroupPreset = z.strictObject({
  group,
  preset: z.string().min(1).max(255),
  boards: z.array(z.string().min(1).max(64)).max(50).default([]),
  share: z.enum(['viewer', 'editor', 'admin']).default('editor'),
})

const scopes = z
  .string()
  .max(500)
  .refine(text => text.split(' ').includes('openid'), 'must have openid')

const Provider = z
  .strictObject({
    id: z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, 'must begin with a letter, and have only a-z, 0-9 and -'),
    name: z.string().min(1).max(80),
    issuer: z.url({ protocol: /^https?$/ }),
    client_id: z.string().min(1).max(500),
    client_secret_file: z.string().min(1).nullable().default(null),
    client_auth: z.enum(['basic', 'post']).default('basic'),
    scopes: scopes.default('openid profile email'),
    allowed_domains: z.array(domain).max(100).default([]),
    allowed_groups: z.array(group).max(100).default([]),
    create_persons: z.boolean().optional(),
    allow_everyone: z.boolean().default(false),
    groups_claim: z.string().min(1).max(255).default('groups'),
    preset: z.string().min(1).max(255).default('Reporter'),
    group_presets: z.array(GroupPreset).max(100).default([]),
    group_sync: z.enum(['each', 'first']).default('each'),
    trust_email: z.boolean().default(false),
    link_by_email: z.boolean().default(false),
  })
  .transform(({ create_persons, ...provider }) => {
    const isLimited = provider.allowed_domains.length + provider.allowed_groups.length > 0
    return { ...provider, isLimited, create_persons: create_persons ?? isLimited }
  })
  .superRefine(({ create_persons, isLimited, allow_everyone }, ctx) => {
    if (create_persons && !isLimited && !allow_everyone)
      ctx.addIssue({
        code: 'custom',
        path: ['create_persons'],
        message:
          'would admit everybody with an account there: name allowed_domains or allowed_groups, or say allow_everyone',
      })
  })

/** The file: no unknown members, and no two providers with the same id or the same issuer and client. */
export const SignInFile = z.strictObject({
  providers: z
    .array(Provider)
    .max(10)
    .superRefine((providers, ctx) => {
      for (const [at, { id }] of providers.entries())
        if (providers.findIndex(other => other.id === id) !== at)
          ctx.addIssue({ code: 'custom', path: [at, 'id'], message: 'is the id of another provider too' })
    }),
})

/** An identity provider with which people sign in. */
export type ProviderSettings = z.output<typeof Provider>

/** Whether an issuer is on this machine, where it needs no TLS. */
export function isLoopback(issuer: string): boolean {
  const host = new URL(issuer).hostname.replace(/^\[(.*)\]$/, '$1')
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}
