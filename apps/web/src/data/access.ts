import permissions from 'virtual:permissions'
import { useQuery } from '@tanstack/react-query'
import { client } from './client.ts'
import { keys } from './keys.ts'

export type Agent = Awaited<ReturnType<typeof client.listAgents>>['items'][number]
export type Preset = Awaited<ReturnType<typeof client.listPresets>>['items'][number]

/** The agents that the person manages, including the person. */
export const useAgents = () =>
  useQuery({ queryKey: keys.service('agents'), queryFn: async () => (await client.listAgents()).items })

export const usePresets = () =>
  useQuery({ queryKey: keys.service('presets'), queryFn: async () => (await client.listPresets()).items })

/** A permission with those below it. */
export interface PermissionNode {
  readonly name: string
  /** A group is held exactly when one of the permissions below it is (access 2.1). */
  readonly isGroup: boolean
  readonly children: readonly PermissionNode[]
}

/** Permissions of one kind of record, as a tree. */
export interface PermissionGroup {
  readonly resource: string
  readonly nodes: readonly PermissionNode[]
}

const resourceOf = (name: string): string => name.slice(0, name.indexOf('_'))

function nodesBelow(parent: string | null): readonly PermissionNode[] {
  return permissions
    .filter(row => row.parent === parent)
    .map(({ name, group }) => ({ name, isGroup: group, children: nodesBelow(name) }))
}

/** All permissions, by the kind of record that they protect (access 2.5). */
export const permissionGroups: readonly PermissionGroup[] = [
  ...Map.groupBy(nodesBelow(null), ({ name }) => resourceOf(name)),
].map(([resource, nodes]) => ({ resource, nodes }))
