import { describe, expect, test } from 'vitest'
import { type CiRun, ciRunOf, type Variables } from './ci-environment.ts'

const head = '1'.repeat(40)
const merge = '2'.repeat(40)
const base = '3'.repeat(40)
const zeros = '0'.repeat(40)

const nothing: Omit<CiRun, 'system'> = {
  commit: undefined,
  testedCommit: undefined,
  branch: undefined,
  pullRequest: undefined,
  run: undefined,
  attempt: 1,
  url: undefined,
  base: undefined,
  isFork: false,
  headRef: undefined,
}

const actions = {
  GITHUB_ACTIONS: 'true',
  GITHUB_SERVER_URL: 'https://forge.example',
  GITHUB_REPOSITORY: 'acme/shop',
  GITHUB_RUN_ID: '9001',
  GITHUB_RUN_NUMBER: '12',
  GITHUB_RUN_ATTEMPT: '2',
}

const onBranch = { ...actions, GITHUB_SHA: head, GITHUB_REF: 'refs/heads/spe-14', GITHUB_EVENT_NAME: 'push' }
const onRequest = {
  ...actions,
  GITHUB_SHA: merge,
  GITHUB_REF: 'refs/pull/7/merge',
  GITHUB_HEAD_REF: 'spe-14',
  GITHUB_EVENT_NAME: 'pull_request',
}

const request = (headRepository = 'acme/shop') => ({
  pull_request: {
    head: { sha: head, ref: 'spe-14', repo: { full_name: headRepository } },
    base: { sha: base, ref: 'main', repo: { full_name: 'acme/shop' } },
  },
})

const gitlab = { GITLAB_CI: 'true', CI_PIPELINE_ID: '77', CI_JOB_URL: 'https://gitlab.example/acme/shop/-/jobs/5' }
const jenkins = {
  JENKINS_URL: 'https://jenkins.example/',
  BUILD_ID: '12',
  BUILD_TAG: 'jenkins-shop-main-12',
  BUILD_URL: 'https://jenkins.example/job/shop/12/',
}
const buildkite = {
  BUILDKITE: 'true',
  BUILDKITE_COMMIT: head,
  BUILDKITE_BRANCH: 'spe-14',
  BUILDKITE_BUILD_ID: '0190-abc',
  BUILDKITE_BUILD_URL: 'https://buildkite.com/acme/shop/builds/3',
  BUILDKITE_REPO: 'https://github.com/acme/shop.git',
}
const circleci = {
  CIRCLECI: 'true',
  CIRCLE_SHA1: head,
  CIRCLE_WORKFLOW_ID: 'abc-1',
  CIRCLE_BUILD_URL: 'https://circleci.com/gh/acme/shop/3',
}
const azure = {
  TF_BUILD: 'True',
  BUILD_BUILDID: '31',
  SYSTEM_JOBATTEMPT: '3',
  SYSTEM_COLLECTIONURI: 'https://dev.azure.com/acme/',
  SYSTEM_TEAMPROJECT: 'My shop',
}
const azureUrl = 'https://dev.azure.com/acme/My%20shop/_build/results?buildId=31'
const drone = {
  DRONE: 'true',
  CI: 'true',
  DRONE_BUILD_NUMBER: '8',
  DRONE_BUILD_LINK: 'https://drone.example/acme/shop/8',
}
const woodpecker = {
  CI: 'woodpecker',
  CI_PIPELINE_NUMBER: '8',
  CI_PIPELINE_URL: 'https://ci.example/repos/1/pipeline/8',
}

const github = { run: '9001', attempt: 2, url: 'https://forge.example/acme/shop/actions/runs/9001/attempts/2' }
const forgejo = { ...github, url: 'https://forge.example/acme/shop/actions/runs/12' }

const table: readonly (readonly [string, Variables, unknown, Partial<CiRun> & Pick<CiRun, 'system'>])[] = [
  [
    'GitHub Actions, a push',
    onBranch,
    { before: base },
    { system: 'github', commit: head, branch: 'spe-14', base, ...github },
  ],
  [
    'GitHub Actions, the first push of a branch',
    onBranch,
    { before: zeros },
    { system: 'github', commit: head, branch: 'spe-14', ...github },
  ],
  [
    'GitHub Actions, a tag',
    { ...onBranch, GITHUB_REF: 'refs/tags/v1' },
    undefined,
    { system: 'github', commit: head, ...github },
  ],
  [
    'GitHub Actions, a pull request',
    onRequest,
    request(),
    { system: 'github', commit: head, testedCommit: merge, branch: 'spe-14', pullRequest: 7, base, ...github },
  ],
  [
    'GitHub Actions, a pull request of a fork',
    onRequest,
    request('eve/shop'),
    {
      system: 'github',
      commit: head,
      testedCommit: merge,
      branch: 'spe-14',
      pullRequest: 7,
      base,
      isFork: true,
      ...github,
    },
  ],
  [
    'GitHub Actions, a pull request whose event cannot be read',
    onRequest,
    undefined,
    { system: 'github', testedCommit: merge, branch: 'spe-14', pullRequest: 7, ...github },
  ],
  [
    'GitHub Actions, pull_request_target, which checks out the base',
    { ...onBranch, GITHUB_REF: 'refs/heads/main', GITHUB_HEAD_REF: 'spe-14', GITHUB_EVENT_NAME: 'pull_request_target' },
    request(),
    { system: 'github', commit: head, branch: 'main', ...github },
  ],
  [
    'Forgejo Actions, a push',
    { ...onBranch, GITEA_ACTIONS: 'true', FORGEJO_ACTIONS: 'true' },
    { before: base },
    { system: 'forgejo', commit: head, branch: 'spe-14', base, ...forgejo },
  ],
  [
    'Forgejo Actions, a pull request',
    { ...onRequest, FORGEJO_ACTIONS: 'true' },
    request(),
    { system: 'forgejo', commit: head, testedCommit: merge, branch: 'spe-14', pullRequest: 7, base, ...forgejo },
  ],
  [
    'Gitea Actions, a push',
    { ...onBranch, GITEA_ACTIONS: 'true' },
    { before: base },
    { system: 'gitea', commit: head, branch: 'spe-14', base, ...forgejo },
  ],
  [
    'Gitea Actions, a pull request',
    { ...onRequest, GITEA_ACTIONS: 'true' },
    request(),
    { system: 'gitea', commit: head, testedCommit: merge, branch: 'spe-14', pullRequest: 7, base, ...forgejo },
  ],
  [
    'GitLab CI, a push',
    { ...gitlab, CI_COMMIT_SHA: head, CI_COMMIT_BRANCH: 'spe-14', CI_COMMIT_BEFORE_SHA: base },
    undefined,
    { system: 'gitlab', commit: head, branch: 'spe-14', base, run: '77', url: gitlab.CI_JOB_URL },
  ],
  [
    'GitLab CI, a merge request',
    {
      ...gitlab,
      CI_COMMIT_SHA: head,
      CI_COMMIT_BEFORE_SHA: zeros,
      CI_MERGE_REQUEST_IID: '7',
      CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: 'spe-14',
      CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: '',
      CI_MERGE_REQUEST_DIFF_BASE_SHA: base,
      CI_MERGE_REQUEST_PROJECT_ID: '4',
      CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '4',
    },
    undefined,
    { system: 'gitlab', commit: head, branch: 'spe-14', pullRequest: 7, base, run: '77', url: gitlab.CI_JOB_URL },
  ],
  [
    'GitLab CI, merged results of a fork',
    {
      ...gitlab,
      CI_COMMIT_SHA: merge,
      CI_MERGE_REQUEST_IID: '7',
      CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: 'spe-14',
      CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: head,
      CI_MERGE_REQUEST_PROJECT_ID: '4',
      CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '9',
    },
    undefined,
    {
      system: 'gitlab',
      commit: head,
      testedCommit: merge,
      branch: 'spe-14',
      pullRequest: 7,
      run: '77',
      url: gitlab.CI_JOB_URL,
      isFork: true,
    },
  ],
  [
    'Jenkins, a branch',
    { ...jenkins, GIT_COMMIT: head, GIT_BRANCH: 'origin/spe-14', GIT_PREVIOUS_SUCCESSFUL_COMMIT: base },
    undefined,
    { system: 'jenkins', commit: head, branch: 'spe-14', base, run: jenkins.BUILD_TAG, url: jenkins.BUILD_URL },
  ],
  [
    'Jenkins, a pull request',
    {
      ...jenkins,
      GIT_COMMIT: merge,
      BRANCH_NAME: 'PR-7',
      CHANGE_ID: '7',
      CHANGE_BRANCH: 'spe-14',
      CHANGE_TARGET: 'main',
    },
    undefined,
    {
      system: 'jenkins',
      commit: merge,
      branch: 'spe-14',
      pullRequest: 7,
      run: jenkins.BUILD_TAG,
      url: jenkins.BUILD_URL,
      headRef: 'refs/remotes/origin/PR-7',
    },
  ],
  [
    'Buildkite, a branch',
    { ...buildkite, BUILDKITE_PULL_REQUEST: 'false', BUILDKITE_RETRY_COUNT: '0', BUILDKITE_PULL_REQUEST_REPO: '' },
    undefined,
    { system: 'buildkite', commit: head, branch: 'spe-14', run: '0190-abc', url: buildkite.BUILDKITE_BUILD_URL },
  ],
  [
    'Buildkite, a retry of a pull request of a fork',
    {
      ...buildkite,
      BUILDKITE_PULL_REQUEST: '7',
      BUILDKITE_RETRY_COUNT: '1',
      BUILDKITE_PULL_REQUEST_REPO: 'https://github.com/eve/shop.git',
    },
    undefined,
    {
      system: 'buildkite',
      commit: head,
      branch: 'spe-14',
      pullRequest: 7,
      run: '0190-abc',
      attempt: 2,
      url: buildkite.BUILDKITE_BUILD_URL,
      isFork: true,
    },
  ],
  [
    'CircleCI, a branch',
    { ...circleci, CIRCLE_BRANCH: 'spe-14' },
    undefined,
    { system: 'circleci', commit: head, branch: 'spe-14', run: 'abc-1', url: circleci.CIRCLE_BUILD_URL },
  ],
  [
    'CircleCI, a pull request',
    { ...circleci, CIRCLE_BRANCH: 'spe-14', CIRCLE_PULL_REQUEST: 'https://github.com/acme/shop/pull/7' },
    undefined,
    {
      system: 'circleci',
      commit: head,
      branch: 'spe-14',
      pullRequest: 7,
      run: 'abc-1',
      url: circleci.CIRCLE_BUILD_URL,
    },
  ],
  [
    'CircleCI, a pull request of a fork',
    { ...circleci, CIRCLE_BRANCH: 'pull/7', CIRCLE_PR_NUMBER: '7' },
    undefined,
    { system: 'circleci', commit: head, pullRequest: 7, run: 'abc-1', url: circleci.CIRCLE_BUILD_URL, isFork: true },
  ],
  [
    'Azure Pipelines, a branch',
    { ...azure, BUILD_SOURCEVERSION: head, BUILD_SOURCEBRANCH: 'refs/heads/spe-14' },
    undefined,
    { system: 'azure', commit: head, branch: 'spe-14', run: '31', attempt: 3, url: azureUrl },
  ],
  [
    'Azure Pipelines, a pull request',
    {
      ...azure,
      BUILD_SOURCEVERSION: merge,
      BUILD_SOURCEBRANCH: 'refs/pull/7/merge',
      SYSTEM_PULLREQUEST_PULLREQUESTNUMBER: '7',
      SYSTEM_PULLREQUEST_SOURCECOMMITID: head,
      SYSTEM_PULLREQUEST_SOURCEBRANCH: 'refs/heads/spe-14',
      SYSTEM_PULLREQUEST_ISFORK: 'False',
    },
    undefined,
    {
      system: 'azure',
      commit: head,
      testedCommit: merge,
      branch: 'spe-14',
      pullRequest: 7,
      run: '31',
      attempt: 3,
      url: azureUrl,
    },
  ],
  [
    'Drone, a push',
    { ...drone, DRONE_COMMIT_SHA: head, DRONE_COMMIT_BRANCH: 'spe-14', DRONE_COMMIT_BEFORE: base },
    undefined,
    { system: 'drone', commit: head, branch: 'spe-14', base, run: '8', url: drone.DRONE_BUILD_LINK },
  ],
  [
    'Drone, a pull request',
    {
      ...drone,
      DRONE_COMMIT_SHA: head,
      DRONE_COMMIT_BRANCH: 'main',
      DRONE_SOURCE_BRANCH: 'spe-14',
      DRONE_PULL_REQUEST: '7',
    },
    undefined,
    { system: 'drone', commit: head, branch: 'spe-14', pullRequest: 7, run: '8', url: drone.DRONE_BUILD_LINK },
  ],
  [
    'Woodpecker, a push',
    {
      ...woodpecker,
      CI_COMMIT_SHA: head,
      CI_COMMIT_BRANCH: 'spe-14',
      CI_PREV_COMMIT_SHA: base,
      CI_COMMIT_PULL_REQUEST: '',
    },
    undefined,
    { system: 'woodpecker', commit: head, branch: 'spe-14', base, run: '8', url: woodpecker.CI_PIPELINE_URL },
  ],
  [
    'Woodpecker, a pull request',
    {
      ...woodpecker,
      CI_COMMIT_SHA: head,
      CI_COMMIT_BRANCH: 'main',
      CI_COMMIT_SOURCE_BRANCH: 'spe-14',
      CI_COMMIT_PULL_REQUEST: '7',
    },
    undefined,
    { system: 'woodpecker', commit: head, branch: 'spe-14', pullRequest: 7, run: '8', url: woodpecker.CI_PIPELINE_URL },
  ],
]

describe('what the environment says of a run (evidence 11)', () => {
  test.each(table)('%s', (_, variables, event, expected) => {
    expect(ciRunOf(variables, event)).toEqual({ ...nothing, ...expected })
  })

  test('nothing outside of CI', () => {
    expect(ciRunOf({ HOME: '/home/ada', CI: 'true' })).toBeUndefined()
  })

  test('no more of a run than a report takes, and no event that is no object', () => {
    const variables = { ...jenkins, GIT_COMMIT: 'HEAD', BUILD_TAG: `jenkins-${'x'.repeat(200)}-12` }
    const run = ciRunOf(variables)
    expect([run?.run?.length, run?.run?.endsWith('x-12'), run?.commit]).toEqual([100, true, undefined])
    expect(ciRunOf(onRequest, 'text')).toMatchObject({ commit: undefined, pullRequest: 7 })
  })
})
