import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';

type Environment = Readonly<Record<string, string | undefined>>;

const SAMPLERS: Readonly<Record<string, (ratio: number) => Sampler>> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio) => new TraceIdRatioBasedSampler(ratio),
};

/** Reads OTEL_TRACES_SAMPLER and OTEL_TRACES_SAMPLER_ARG; default: the caller's decision, otherwise all traces. */
export function readSampler(environment: Environment): Sampler {
  const name = environment['OTEL_TRACES_SAMPLER'] ?? 'parentbased_always_on';
  const argument = Number(environment['OTEL_TRACES_SAMPLER_ARG'] ?? 1);
  const ratio = argument >= 0 && argument <= 1 ? argument : 1;
  const plain = SAMPLERS[name.replace(/^parentbased_/, '')] ?? SAMPLERS['always_on'];
  const root = (plain as (ratio: number) => Sampler)(ratio);
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}
