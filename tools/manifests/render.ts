import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { root } from '../package/root.ts'

/** The plain manifests, each with its description and the chart values that produce it. */
export const manifests: Readonly<Record<string, { readonly title: string; readonly values: readonly string[] }>> = {
  'sqlite.yaml': { title: 'One node on SQLite: kubectl apply -f deploy/kubernetes/sqlite.yaml', values: [] },
  'postgres.yaml': {
    title: `Two nodes on PostgreSQL. First the secrets that they share:
#   kubectl create secret generic specboard-database --from-literal=url='postgres://…?sslmode=verify-full'
#   kubectl create secret generic specboard-key --from-literal=key="$(openssl rand -base64 32)"
#   kubectl apply -f deploy/kubernetes/postgres.yaml`,
    values: ['database.existingSecret=specboard-database', 'secretKey.existingSecret=specboard-key'],
  },
}

/** The oldest supported Kubernetes: the rendered manifests work there and later. */
export const kubeVersion = '1.27.0'

/** Renders the chart with some values, and with those of a file. */
export const template = (values: readonly string[], file?: string): string =>
  execFileSync(
    'helm',
    [
      'template',
      'specboard',
      join(root, 'deploy/helm'),
      ...['--kube-version', kubeVersion, '--namespace', 'default'],
      ...(file === undefined ? [] : ['--values', file]),
      ...values.flatMap(value => ['--set', value]),
    ],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
  )

/** A plain manifest: without what only Helm needs, and without a version, because that depends on the image. */
export function rendered(name: string): string {
  const { title, values } = manifests[name]!
  const text = template(values)
    .replaceAll(/^# Source: .*\n/gm, '')
    .replaceAll(/^ *app\.kubernetes\.io\/(?:version|managed-by): .*\n/gm, '')
    .replaceAll(/^( *image: )"specboard:.*"$/gm, '$1specboard')
  return `# ${title}\n# Made from deploy/helm by \`node tools/manifests.ts\`. The image: by its digest, where it comes from a registry.\n${text}`
}
