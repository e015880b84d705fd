/** What the environment of a CI job says about its run (evidence 11). Pure: the caller reads variables and files. */

/** The supported CI systems. */
export type CiSystem =
  | 'github'
  | 'forgejo'
  | 'gitea'
  | 'gitlab'
  | 'jenkins'
  | 'buildkite'
  | 'circleci'
  | 'azure'
  | 'drone'
  | 'woodpecker'

/** What a run tests, and its facts. For a pull request `commit` is its head, never a trial merge. */
export interface CiRun {
  readonly system: CiSystem
  readonly commit: string | undefined
  /** The checked-out commit, if it is a different one: a forge's trial merge. */
  readonly testedCommit: string | undefined
  readonly branch: string | undefined
  readonly pullRequest: number | undefined
  readonly run: string | undefined
  readonly attempt: number
  readonly url: string | undefined
  /** The commit before the push, or where a pull request starts. */
  readonly base: string | undefined
  /** Whether the branch belongs to a fork. */
  readonly isFork: boolean
  /** A ref in the clone that is the head of the pull request, if no variable gives it. */
  readonly headRef: string | undefined
}

/** Variables of an environment. */
export type Variables = Readonly<Record<string, string | undefined>>

/** What one system reports; unknown values are left out. */
type CiValues = { readonly [Name in keyof Omit<CiRun, 'system' | 'attempt' | 'isFork'>]?: CiRun[Name] } & {
  readonly attempt?: string | undefined
  readonly isFork?: boolean
}

/** The longest run id that a report accepts. */
const maxRunIdLength = 100

const isSha = (text: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text) && !/^0+$/.test(text)

const sha = (...texts: readonly (string | undefined)[]): string | undefined =>
  texts.find(text => text !== undefined && isSha(text))

const some = (...texts: readonly (string | undefined)[]): string | undefined =>
  texts.find(text => text !== undefined && text !== '')

/** A number in a variable such as `7`; undefined for `false` and other words. */
function number(text: string | undefined): number | undefined {
  const value = Number(text)
  return text !== undefined && text !== '' && Number.isInteger(value) && value > 0 ? value : undefined
}

/** A branch without Git's prefix; undefined for a ref of anything else. */
function branchOf(ref: string | undefined): string | undefined {
  if (ref === undefined || ref === '') return undefined
  if (ref.startsWith('refs/heads/')) return ref.slice('refs/heads/'.length)
  return ref.startsWith('refs/') ? undefined : ref
}

/** A member of a JSON file, by its path. */
function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (part, name) => (typeof part === 'object' && part !== null ? (part as Record<string, unknown>)[name] : undefined),
    value,
  )
}

const textAt = (value: unknown, ...path: readonly string[]): string | undefined => {
  const found = at(value, ...path)
  return typeof found === 'string' ? found : undefined
}

/** GitHub Actions, and Forgejo's and Gitea's, which use the same variables. */
function actions(v: Variables, event: unknown, attempts: boolean): CiValues {
  const [, pullNumber] = /^refs\/pull\/(\d+)\//.exec(v.GITHUB_REF ?? '') ?? []
  const place = [v.GITHUB_SERVER_URL, v.GITHUB_REPOSITORY, 'actions/runs'].join('/')
  // The pages of Forgejo and Gitea are addressed by the number of the run.
  const url = attempts
    ? `${place}/${v.GITHUB_RUN_ID}/attempts/${v.GITHUB_RUN_ATTEMPT ?? 1}`
    : `${place}/${v.GITHUB_RUN_NUMBER ?? v.GITHUB_RUN_ID}`
  const common = {
    run: v.GITHUB_RUN_ID,
    attempt: v.GITHUB_RUN_ATTEMPT,
    url: v.GITHUB_SERVER_URL === undefined ? undefined : url,
  }
  if (pullNumber === undefined)
    return {
      ...common,
      commit: sha(v.GITHUB_SHA),
      branch: branchOf(v.GITHUB_REF),
      base: sha(textAt(event, 'before')),
    }
  const request = at(event, 'pull_request')
  return {
    ...common,
    // Without the event the head is unknown: a trial merge is not a commit of the pull request.
    commit: sha(textAt(request, 'head', 'sha')),
    testedCommit: sha(v.GITHUB_SHA),
    branch: some(textAt(request, 'head', 'ref'), v.GITHUB_HEAD_REF),
    pullRequest: number(pullNumber),
    base: sha(textAt(request, 'base', 'sha')),
    isFork: textAt(request, 'head', 'repo', 'full_name') !== textAt(request, 'base', 'repo', 'full_name'),
  }
}

function gitlab(v: Variables): CiValues {
  return {
    commit: sha(v.CI_MERGE_REQUEST_SOURCE_BRANCH_SHA, v.CI_COMMIT_SHA),
    testedCommit: sha(v.CI_COMMIT_SHA),
    branch: some(v.CI_MERGE_REQUEST_SOURCE_BRANCH_NAME, v.CI_COMMIT_BRANCH),
    pullRequest: number(v.CI_MERGE_REQUEST_IID),
    run: v.CI_PIPELINE_ID,
    url: some(v.CI_JOB_URL, v.CI_PIPELINE_URL),
    base: sha(v.CI_MERGE_REQUEST_DIFF_BASE_SHA, v.CI_COMMIT_BEFORE_SHA),
    isFork:
      some(v.CI_MERGE_REQUEST_SOURCE_PROJECT_ID) !== undefined &&
      v.CI_MERGE_REQUEST_SOURCE_PROJECT_ID !== v.CI_MERGE_REQUEST_PROJECT_ID,
  }
}

function jenkins(v: Variables): CiValues {
  const common = {
    commit: sha(v.GIT_COMMIT),
    run: some(v.BUILD_TAG, v.BUILD_ID),
    url: v.BUILD_URL,
    base: sha(v.GIT_PREVIOUS_SUCCESSFUL_COMMIT, v.GIT_PREVIOUS_COMMIT),
  }
  const request = number(v.CHANGE_ID)
  if (request === undefined)
    return { ...common, branch: branchOf(some(v.BRANCH_NAME, v.GIT_BRANCH)?.replace(/^origin\//, '')) }
  return {
    ...common,
    testedCommit: sha(v.GIT_COMMIT),
    branch: some(v.CHANGE_BRANCH),
    pullRequest: request,
    isFork: some(v.CHANGE_FORK) !== undefined,
    // If Jenkins merges the target branch itself, GIT_COMMIT is that merge.
    headRef: v.BRANCH_NAME === undefined ? undefined : `refs/remotes/origin/${v.BRANCH_NAME}`,
  }
}

const buildkite = (v: Variables): CiValues => ({
  commit: sha(v.BUILDKITE_COMMIT),
  branch: some(v.BUILDKITE_BRANCH),
  pullRequest: number(v.BUILDKITE_PULL_REQUEST),
  run: v.BUILDKITE_BUILD_ID,
  attempt: String(1 + (number(v.BUILDKITE_RETRY_COUNT) ?? 0)),
  url: v.BUILDKITE_BUILD_URL,
  isFork: some(v.BUILDKITE_PULL_REQUEST_REPO) !== undefined && v.BUILDKITE_PULL_REQUEST_REPO !== v.BUILDKITE_REPO,
})

const circleci = (v: Variables): CiValues => ({
  commit: sha(v.CIRCLE_SHA1),
  // The branch of a fork is named after its pull request.
  branch: v.CIRCLE_BRANCH?.startsWith('pull/') ? undefined : some(v.CIRCLE_BRANCH),
  pullRequest: number(some(v.CIRCLE_PR_NUMBER, v.CIRCLE_PULL_REQUEST?.split('/').at(-1))),
  run: some(v.CIRCLE_WORKFLOW_ID, v.CIRCLE_BUILD_NUM),
  url: v.CIRCLE_BUILD_URL,
  isFork: some(v.CIRCLE_PR_NUMBER) !== undefined,
})

function azure(v: Variables): CiValues {
  const request = number(some(v.SYSTEM_PULLREQUEST_PULLREQUESTNUMBER, v.SYSTEM_PULLREQUEST_PULLREQUESTID))
  const page = `${v.SYSTEM_COLLECTIONURI}${encodeURIComponent(v.SYSTEM_TEAMPROJECT ?? '')}/_build/results?buildId=${v.BUILD_BUILDID}`
  return {
    commit: request === undefined ? sha(v.BUILD_SOURCEVERSION) : sha(v.SYSTEM_PULLREQUEST_SOURCECOMMITID),
    testedCommit: sha(v.BUILD_SOURCEVERSION),
    branch: branchOf(request === undefined ? v.BUILD_SOURCEBRANCH : v.SYSTEM_PULLREQUEST_SOURCEBRANCH),
    pullRequest: request,
    run: v.BUILD_BUILDID,
    attempt: v.SYSTEM_JOBATTEMPT,
    url: v.SYSTEM_COLLECTIONURI === undefined ? undefined : page,
    isFork: v.SYSTEM_PULLREQUEST_ISFORK?.toLowerCase() === 'true',
  }
}

const drone = (v: Variables): CiValues => ({
  commit: sha(v.DRONE_COMMIT_SHA, v.DRONE_COMMIT),
  branch: some(v.DRONE_SOURCE_BRANCH, v.DRONE_COMMIT_BRANCH, v.DRONE_BRANCH),
  pullRequest: number(v.DRONE_PULL_REQUEST),
  run: v.DRONE_BUILD_NUMBER,
  url: v.DRONE_BUILD_LINK,
  base: sha(v.DRONE_COMMIT_BEFORE),
})

function woodpecker(v: Variables): CiValues {
  const request = number(v.CI_COMMIT_PULL_REQUEST)
  return {
    commit: sha(v.CI_COMMIT_SHA),
    // For a pull request CI_COMMIT_BRANCH is the target.
    branch: request === undefined ? some(v.CI_COMMIT_BRANCH) : some(v.CI_COMMIT_SOURCE_BRANCH),
    pullRequest: request,
    run: some(v.CI_PIPELINE_NUMBER, v.CI_BUILD_NUMBER),
    url: some(v.CI_PIPELINE_URL, v.CI_BUILD_LINK),
    base: sha(v.CI_PREV_COMMIT_SHA),
  }
}

/** How each system is recognised, in order: Forgejo also identifies as Gitea and GitHub. */
const systems: readonly (readonly [CiSystem, (v: Variables) => boolean, (v: Variables, event: unknown) => CiValues])[] =
  [
    ['forgejo', v => v.FORGEJO_ACTIONS === 'true', (v, event) => actions(v, event, false)],
    ['gitea', v => v.GITEA_ACTIONS === 'true', (v, event) => actions(v, event, false)],
    ['github', v => v.GITHUB_ACTIONS === 'true', (v, event) => actions(v, event, true)],
    ['gitlab', v => v.GITLAB_CI === 'true', gitlab],
    ['buildkite', v => v.BUILDKITE === 'true', buildkite],
    ['circleci', v => v.CIRCLECI === 'true', circleci],
    ['azure', v => v.TF_BUILD?.toLowerCase() === 'true', azure],
    ['woodpecker', v => v.CI === 'woodpecker' || v.CI_SYSTEM_NAME === 'woodpecker', woodpecker],
    ['drone', v => v.DRONE === 'true', drone],
    ['jenkins', v => some(v.JENKINS_URL) !== undefined && some(v.BUILD_ID) !== undefined, jenkins],
  ]

/**
 * The CI run of an environment; undefined outside of the ten systems.
 * @param event the contents of the file in `GITHUB_EVENT_PATH`
 */
export function ciRunOf(variables: Variables, event?: unknown): CiRun | undefined {
  const found = systems.find(([, isHere]) => isHere(variables))
  if (found === undefined) return undefined
  const [system, , read] = found
  const { attempt, isFork = false, ...values } = read(variables, event)
  const tries = number(attempt) ?? 1
  return {
    system,
    commit: values.commit,
    testedCommit: values.testedCommit === values.commit ? undefined : values.testedCommit,
    branch: values.branch,
    pullRequest: values.pullRequest,
    run: some(values.run)?.slice(-maxRunIdLength),
    attempt: tries <= 1_000 ? tries : 1,
    url: some(values.url),
    base: values.base,
    isFork,
    headRef: values.headRef,
  }
}
