/** Integrations: operations to list, create and remove them, and the checks that read them. */
import { inconclusive, documented, fail, type Check } from '../src/contract/check.js'
import { isObject } from '../src/contract/scalar-validators.js'
import { operation, type Operation } from '../src/contract/operation.js'
import { judgeNodes, ofAccount, type Data } from './support/samples.js'

export const integrations = operation(`query Integrations {
  account {
    id
    integrations { id label platform details }
  }
}`)

export const integration = operation(`query Integration($id: ID!) {
  node(id: $id) {
    id
    ... on Integration { label platform details }
  }
}`)

export const createConversionApiFacebookIntegration =
  operation(`mutation CreateConversionApiFacebookIntegration($node: FacebookConversionApi!) {
  createConversionApiFacebookIntegration(node: $node) { id }
}`)

export const removeIntegration = operation(`mutation RemoveIntegration($id: ID!) {
  removeIntegration(id: $id) {
    id
    integrations { id }
  }
}`)

export const integrationOperations: readonly Operation[] = [
  integrations,
  integration,
  createConversionApiFacebookIntegration,
  removeIntegration,
]

/** An input of createConversionApiFacebookIntegration with documented fields only. The token is not valid anywhere. */
export const exampleIntegration = {
  token: 'example-token-that-opens-nothing',
  label: 'Conversions of the outlet',
  pixels: ['204918830417755'],
}

export const integrationChecks: readonly Check[] = [
  {
    id: 'integrations-shape',
    title: '`account { integrations }` MUST be a list of integrations.',
    basis: documented(
      'Account settings: account { integrations }: list of Integration (`id`, `label`, `platform`, `details`).',
    ),
    async run(context) {
      await context.ask(integrations)
    },
  },
  {
    id: 'integration-shape',
    title: '`node` MUST return an integration by its id.',
    basis: documented(
      'What the service does: Any object can be retrieved through the generic `node(id)` query. Integration (implements Node).',
    ),
    async run(context) {
      const read = (fresh: boolean) => ofAccount(context, integrations, 'integrations', fresh)
      await judgeNodes(context, read, integration, ['id', 'label', 'platform'])
    },
  },
  {
    id: 'integration-pixels',
    title: '`details` of a Facebook integration MUST have a list `pixels` of pixel ids.',
    basis: documented(
      'Integration: For a Facebook integration it carries a `pixels` list of pixel identifier strings.',
    ),
    async run(context) {
      const all = await ofAccount(context, integrations, 'integrations')
      const ofFacebook = all.filter(({ platform }) => /facebook/i.test(String(platform)))
      const withDetails = ofFacebook.filter(({ details }) => details !== null)
      if (withDetails.length === 0) inconclusive('There is no Facebook integration with details.')
      for (const { id, details } of withDetails) {
        const pixels = isObject(details) === undefined ? (details as Data)['pixels'] : undefined
        if (Array.isArray(pixels) && pixels.every((it) => typeof it === 'string')) continue
        fail(`The details of ${String(id)} have no list \`pixels\` of strings.`)
      }
    },
  },
]
