import { describeBasicProfile } from './basic-profile/profile.ts';

describeBasicProfile('query');
