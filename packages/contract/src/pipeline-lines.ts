/** The configuration with which a pipeline sends its reports, filled in (evidence 11). Pure. */
import { readAddress } from './repository-address.ts'

/** The supported systems; `shell` is any other. */
export const pipelines = ['github', 'gitlab', 'forgejo', 'gitea', 'jenkins', 'shell'] as const

/** A supported system. */
export type Pipeline = (typeof pipelines)[number]

/** The values to fill in. */
export interface PipelineValues {
  /** The address of the service. */
  readonly url: string
  readonly boardId: string
}

/** Whether its jobs have OIDC tokens; the others need the key of a `ci` agent. */
export const hasTokens = (pipeline: Pipeline): boolean =>
  pipeline === 'github' || pipeline === 'gitlab' || pipeline === 'forgejo'

/** The issuer of its jobs' tokens, for a repository at an address; undefined if it is not known. */
export function issuerOf(pipeline: Pipeline, url: string): string | undefined {
  const address = readAddress(url)
  if ('fault' in address || address.host === '') return undefined
  const { host } = address
  if (pipeline === 'github')
    return host === 'github.com' ? 'https://token.actions.githubusercontent.com' : `https://${host}/_services/token`
  if (pipeline === 'gitlab') return `https://${host}`
  return pipeline === 'forgejo' ? `https://${host}/api/actions` : undefined
}

const command = 'npx -y specboard report "reports/*.xml"'

const named = ({ url, boardId }: PipelineValues): string => `SPECBOARD_URL: "${url}", SPECBOARD_BOARD: "${boardId}"`

const lines: Readonly<Record<Pipeline, (filled: PipelineValues) => readonly string[]>> = {
  github: filled => [
    '# .github/workflows: in the job that runs the tests',
    'permissions: {contents: read, id-token: write}',
    '# and as its last step',
    `- run: ${command}`,
    '  if: always()',
    `  env: {${named(filled)}}`,
  ],
  forgejo: filled => [
    '# .forgejo/workflows: in the job that runs the tests',
    'enable-openid-connect: true',
    '# and as its last step',
    `- run: ${command}`,
    '  if: always()',
    `  env: {${named(filled)}}`,
  ],
  gitea: filled => [
    '# .gitea/workflows: the last step of the job that runs the tests; SPECBOARD_API_KEY is a secret of the repository',
    `- run: ${command}`,
    '  if: always()',
    `  env: {${named(filled)}, SPECBOARD_API_KEY: "\${{ secrets.SPECBOARD_API_KEY }}"}`,
  ],
  gitlab: filled => [
    '# .gitlab-ci.yml: in the job that runs the tests',
    `variables: {${named(filled)}}`,
    `id_tokens: {SPECBOARD_ID_TOKEN: {aud: "specboard:${filled.boardId}"}}`,
    `after_script: ['${command}']`,
  ],
  jenkins: ({ url, boardId }) => [
    '// Jenkinsfile: specboard is a credential of kind "secret text" with the key of a ci agent',
    `environment { SPECBOARD_URL = '${url}'; SPECBOARD_BOARD = '${boardId}' }`,
    `post { always { withCredentials([string(credentialsId: 'specboard', variable: 'SPECBOARD_API_KEY')]) { sh '${command}' } } }`,
  ],
  shell: ({ url, boardId }) => [
    '# after the tests, whatever they said; the key is that of a ci agent',
    `export SPECBOARD_URL="${url}" SPECBOARD_BOARD="${boardId}"`,
    'SPECBOARD_API_KEY=… npx -y specboard report --commit "$(git rev-parse HEAD)" reports/*.xml',
  ],
}

/** The configuration lines of a pipeline. */
export const pipelineLines = (pipeline: Pipeline, filled: PipelineValues): readonly string[] => lines[pipeline](filled)
