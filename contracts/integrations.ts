/** Integrations: operations to list them, to make one for the Facebook conversion API and to remove one, and what they promise. */
import { inconclusive, documented, fail, type Check } from '../src/contract/check.js'
import { isObject } from '../src/contract/scalar-validators.js'
import { operation, type Operation } from '../src/contract/operation.js'
import { judgeNodes, ofAccount, type Data } from './support/samples.js'

export const integrations = operation(/* GraphQL */ `
  query Integrations {
    account {
      id
      integrations {
        id
        label
        platform
        details
      }
    }
  }
`)

export const integration = operation(/* GraphQL */ `
  query Integration($id: ID!) {
    node(id: $id) {
      id
      ... on Integration {
        label
        platform
        details
      }
    }
  }
`)

export const createConversionApiFacebookIntegration = operation(/* GraphQL */ `
  mutation CreateConversionApiFacebookIntegration($node: FacebookConversionApi!) {
    createConversionApiFacebookIntegration(node: $node) {
      id
    }
  }
`)

export const removeIntegration = operation(/* GraphQL */ `
  mutation RemoveIntegration($id: ID!) {
    removeIntegration(id: $id) {
      id
      integrations {
        id
      }
    }
  }
`)

export const integrationOperations: readonly Operation[] = [
  integrations,
  integration,
  createConversionApiFacebookIntegration,
  removeIntegration,
]

/** An input of createConversionApiFacebookIntegration, of documented fields alone. The token opens nothing. */
export const exampleIntegration = {
  token: 'example-token-that-opens-nothing',
  label: 'Conversions of the outlet',
  pixels: ['204918830417755'],
}

export const integrationChecks: readonly Check[] = [
  {
    id: 'integrations-shape',
    title: 'account lists its integrations.',
    basis: documented(
      'Account settings: account { integrations }: list of Integration (`id`, `label`, `platform`, `details`).',
    ),
    async run(context) {
      await context.ask(integrations)
    },
  },
  {
    id: 'integration-shape',
    title: 'node answers an integration by its id.',
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
    title: 'The details of a Facebook integration carry a list of pixel identifiers.',
    basis: documented(
      'Integration: For a Facebook integration it carries a `pixels` list of pixel identifier strings.',
    ),
    async run(context) {
      const all = await ofAccount(context, integrations, 'integrations')
      const ofFacebook = all.filter(({ platform }) => /facebook/i.test(String(platform)))
      // Details may be null; what they carry is promised where there are some.
      const withDetails = ofFacebook.filter(({ details }) => details !== null)
      if (withDetails.length === 0) inconclusive('There is no Facebook integration with details to look at.')
      for (const { id, details } of withDetails) {
        const pixels = isObject(details) === undefined ? (details as Data)['pixels'] : undefined
        if (Array.isArray(pixels) && pixels.every((it) => typeof it === 'string')) continue
        fail(`The details of ${String(id)} carry no list \`pixels\` of texts.`)
      }
    },
  },
]
